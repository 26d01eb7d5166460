package io.braid.serving.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Search;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 51: a version that lacks keys, or is otherwise far from the live one, does not go live. */
@SuppressWarnings("NullAway.Init")
class CanaryTest {
  private static final int KEYS = 200;
  private static final SystemSeams SEAMS = new SystemSeams();
  private static final CanaryPlan PLAN = CanaryPlan.of(1, 300, Duration.ofSeconds(30));

  @TempDir Path root;
  private NodeDirectory node;
  private ServedStore store;
  private final AtomicBoolean end = new AtomicBoolean();

  @BeforeEach
  void open() throws IOException {
    node = NodeDirectory.own(root.resolve("node"), SEAMS);
    store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY);
    prepare(1, KEYS, "value");
    assertThat(store.canary(1, PLAN)).as("nothing is live").isEqualTo(CanaryReport.NOTHING);
    store.swap(1, false);
  }

  @AfterEach
  void close() throws IOException {
    end.set(true);
    store.close();
    node.close();
  }

  private void prepare(long version, int keys, String value) throws IOException {
    Path out = root.resolve("built-" + version);
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of(NodeFixture.STORE), out)) {
      for (int i = 0; i < keys; i++) {
        builder.add(NodeFixture.key(i), Bytes.of(value));
      }
      builder.finish();
    }
    NodeFixture.fetch(store.versions(), StoreBuilder.folder(out, 0), version);
    store.prepare(version, false);
  }

  /** Reads all keys, and some that nobody has, again and again. */
  private Task reading() {
    return SEAMS.start(
        "reader",
        () -> {
          for (int i = 0; !end.get(); i++) {
            store.get(NodeFixture.key(i % (KEYS + 50)));
          }
        });
  }

  private void refuses(long version, String why) {
    Task reader = reading();
    assertThatThrownBy(() -> store.canary(version, PLAN))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
        .hasMessageContaining("The canary refused version " + version)
        .hasMessageContaining(why);
    end.set(true);
    assertThat(reader.join(Duration.ofSeconds(30))).isTrue();
    assertThat(store.version()).isEqualTo(1);
  }

  @Test
  void aVersionThatIsAsTheLiveOneIsLetThrough() throws IOException {
    prepare(2, KEYS, "other");
    Task reader = reading();
    CanaryReport seen =
        store.canary(2, new CanaryPlan(0.5, 300, Duration.ofSeconds(30), 0, 1.1, 1e9));
    end.set(true);
    assertThat(reader.join(Duration.ofSeconds(30))).isTrue();
    assertThat(seen.reads()).isEqualTo(300);
    assertThat(seen.found()).isPositive().isLessThan(300);
    assertThat(seen.missing()).isZero();
    assertThat(seen.size()).isEqualTo(1);
    assertThat(store.version()).isEqualTo(1);
    store.swap(2, false);
  }

  @Test
  void missingKeysAreRefused() throws IOException {
    prepare(2, KEYS * 3 / 4, "value");
    refuses(2, "keys that are read are missing");
  }

  @Test
  void valuesOfAnotherSizeAreRefused() throws IOException {
    prepare(2, KEYS, "a value that is far longer than it was");
    prepare(3, KEYS, "v");
    refuses(2, "times the bytes");
    end.set(false);
    refuses(3, "times the bytes");
  }

  /** Else it would feed on its own reads, and compare the first few keys over and over. */
  @Test
  void itsOwnReadsAreNotRepeated() {
    OpenVersion live = Objects.requireNonNull(store.live());
    ReadSample sample = new ReadSample(SEAMS, 1);
    byte[] key = NodeFixture.key(1).toArray();
    live.sample(sample);
    try (Lease lease = store.lease()) {
      assertThat(lease.peek(key, 0, key.length)).isNotNull();
      assertThat(sample.poll()).isNull();
      assertThat(lease.copy(key, 0, key.length)).isNotNull();
      assertThat(sample.poll()).isEqualTo(key);
      assertThat(lease.stored(key, 0, key.length)).isNotNull();
      assertThat(sample.poll()).isEqualTo(key);
    } finally {
      live.sample(null);
    }
  }

  @Test
  void nothingIsJudgedByTooFewReads() throws IOException {
    prepare(2, KEYS, "value");
    assertThatThrownBy(() -> store.canary(2, CanaryPlan.of(1, 10, Duration.ofMillis(20))))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
        .hasMessageContaining("only 0 of 10 reads");
    assertThatThrownBy(() -> store.canary(9, PLAN)).hasMessageContaining("not prepared");
  }

  @Test
  void readsThatTakeFarLongerAreRefused() throws IOException {
    prepare(2, KEYS, "value");
    Seams slow = new SlowFresh(100_000);
    CanaryPlan plan = CanaryPlan.of(1, 20, Duration.ofSeconds(30));
    assertThatThrownBy(() -> run(slow, plan)).hasMessageContaining("times as long");
    run(new SlowFresh(25_000), plan);
  }

  private void run(Seams seams, CanaryPlan plan) throws IOException {
    store.swap(2, false);
    ReadSample sample = new ReadSample(SEAMS, 1);
    for (int i = 0; i < plan.reads(); i++) {
      sample.offer(NodeFixture.key(i).toArray(), 0, NodeFixture.key(i).length());
    }
    try (Lease old = store.lease(1);
        Lease fresh = store.lease(2)) {
      new Canary(seams, plan, old, fresh).run(sample);
    }
  }

  @Test
  void aPlanThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> CanaryPlan.of(0, 10, Duration.ofSeconds(1)))
        .hasMessageContaining("above 0 and at most 1");
    assertThatThrownBy(() -> CanaryPlan.of(1, 0, Duration.ofSeconds(1)))
        .hasMessageContaining("compares 1 to");
    assertThatThrownBy(() -> CanaryPlan.of(1, 1, Duration.ofDays(1)))
        .hasMessageContaining("at most 20 min");
  }

  /**
   * A clock by which a read of the live version takes 10 µs, and one of the new version as told.
   */
  private static final class SlowFresh implements Seams {
    private final long fresh;
    private long now;
    private int looks = -1;

    SlowFresh(long fresh) {
      this.fresh = fresh;
    }

    @Override
    public long nanoTime() {
      int look = looks++;
      if (look >= 0 && look % 2 == 1) {
        int read = look / 4;
        boolean second = look % 4 == 3;
        now += second == (read % 2 == 0) ? fresh : 10_000;
      }
      return now;
    }

    @Override
    public long wallMillis() {
      return SEAMS.wallMillis();
    }

    @Override
    public RandomGenerator random() {
      return SEAMS.random();
    }

    @Override
    public void sleep(Duration duration) {
      SEAMS.sleep(duration);
    }

    @Override
    public Task start(String name, Runnable body) {
      return SEAMS.start(name, body);
    }

    @Override
    public Signal signal() {
      return SEAMS.signal();
    }

    @Override
    public Liveness liveness() {
      return SEAMS.liveness();
    }

    @Override
    public AdvisoryLocks locks() {
      return SEAMS.locks();
    }
  }
}
