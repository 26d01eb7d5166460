package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.NodeFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 52: a hundred stores on one node leave each other room, mappings and turns. */
@SuppressWarnings("NullAway.Init")
class HundredStoresTest {
  private static final int STORES = 100;
  private static final int KEYS = 20;
  private static final SystemSeams SEAMS = new SystemSeams();

  @TempDir Path root;
  private NodeDirectory node;
  private NodeService service;

  /** All stores hold the same, in the same files. */
  @BeforeEach
  void start() throws IOException {
    Path first = build(0, 1, KEYS);
    Manifest manifest = ManifestFile.read(first);
    try (NodeDirectory own = NodeDirectory.own(root.resolve("node"), SEAMS)) {
      for (int store = 0; store < STORES; store++) {
        Path version = own.store(name(store)).directory(1);
        Files.createDirectories(version);
        for (String file : manifest.files().keySet()) {
          Files.createLink(version.resolve(file), first.resolve(file));
        }
        Files.write(
            version.resolve(ManifestFile.NAME), ManifestFile.encode(named(manifest, store)));
        Path latest = own.path().resolve(name(store)).resolve("latest");
        if (store == 0) {
          own.store(name(0)).swap(1);
        } else {
          Files.copy(own.path().resolve(name(0)).resolve("latest"), latest);
        }
      }
    }
    node = NodeDirectory.own(root.resolve("node"), SEAMS);
    NodeService.Options options = new NodeService.Options(Search.BINARY, 20_000, 1 << 30, 1, 2);
    service = new NodeService(SEAMS, node, options);
  }

  private static Manifest named(Manifest from, int store) {
    return new Manifest(
        name(store),
        from.node(),
        from.kind(),
        from.place(),
        from.replicas(),
        from.zones(),
        from.keys(),
        from.minimumKeys(),
        from.schema(),
        from.compression(),
        from.snapshot(),
        from.chunks());
  }

  @AfterEach
  void stop() throws IOException {
    service.close();
    node.close();
  }

  private static String name(int store) {
    return "store-" + store;
  }

  private Path build(int store, long version, int keys) throws IOException {
    return NodeFixture.build(root.resolve(name(store)), BuildPlan.of(name(store)), version, keys);
  }

  /** A push that broke off and is repeated meets its own fetch. */
  @Test
  void theFetchThatIsUnderWayIsNotBegunAgain() throws IOException {
    FetchJob running = fetch(3, 2, 40_000);
    String from = root.resolve(name(3)).resolve("built-2-40000/node-0").toString();
    assertThat(service.startFetch(name(3), from, 2)).isEqualTo(2);
    assertThat(service.startFetch(name(3), from, 0)).isEqualTo(2);
    assertThat(service.fetch(name(3))).isSameAs(running);
  }

  private FetchJob fetch(int store, long version, int keys) throws IOException {
    service.startFetch(name(store), build(store, version, keys).toString(), version);
    return service.fetch(name(store));
  }

  private void bring(int store, long version, int keys) throws IOException {
    FetchJob job = fetch(store, version, keys);
    while (!job.ended()) {
      SEAMS.sleep(Duration.ofMillis(1));
    }
    assertThat(job.problem()).isEmpty();
    service.swap(name(store), version, false);
  }

  private Bytes read(int store) {
    return service.store(name(store)).get(NodeFixture.key(3)).orElseThrow();
  }

  @Test
  void aStoreThatIsHammeredAndFetchesForLongHoldsNobodyUp() throws IOException {
    AtomicBoolean end = new AtomicBoolean();
    AtomicLong blows = new AtomicLong();
    List<Task> hammers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      hammers.add(
          SEAMS.start(
              "hammer",
              () -> {
                while (!end.get()) {
                  read(0);
                  blows.incrementAndGet();
                }
              }));
    }
    FetchJob slow = fetch(0, 2, 40_000);
    String from = build(0, 3, KEYS).toString();
    assertThatThrownBy(() -> service.startFetch(name(0), from, 2))
        .hasMessageContaining("is being fetched");
    for (int store = 1; store < STORES; store++) {
      assertThat(read(store)).isEqualTo(NodeFixture.value(1));
    }
    bring(1, 2, KEYS);
    assertThat(read(1)).isEqualTo(NodeFixture.value(2));
    assertThat(slow.ended()).as("it is still fetching").isFalse();
    end.set(true);
    hammers.forEach(hammer -> assertThat(hammer.join(Duration.ofSeconds(30))).isTrue());
    assertThat(blows.get()).isPositive();
  }

  @Test
  void theQuotaOfOneStoreIsNotThatOfAnother() throws IOException {
    service.versions(name(7)).limit(10);
    FetchJob refused = fetch(7, 2, KEYS);
    while (!refused.ended()) {
      SEAMS.sleep(Duration.ofMillis(1));
    }
    assertThat(refused.problem()).contains("quota of the store is 10");
    assertThatThrownBy(() -> service.swap(name(7), 2, false))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED));
    bring(8, 2, KEYS);
    assertThat(read(7)).isEqualTo(NodeFixture.value(1));
    assertThat(read(8)).isEqualTo(NodeFixture.value(2));
  }

  /** A process may have some 65,000 mappings; what is not read any more has none. */
  @Test
  void mappingsDoNotGrowWithTheNumberOfSwaps() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/maps")));
    assertThat(mappings("")).isEqualTo(2 * STORES);
    for (long version = 2; version <= 4; version++) {
      bring(5, version, KEYS);
      service.store(name(5)).retire(1);
      assertThat(mappings(name(5) + "/")).isEqualTo(4);
    }
    assertThat(mappings("")).isEqualTo(2 * STORES + 2);
  }

  private long mappings(String store) throws IOException {
    String under = root.resolve("node").toRealPath() + "/" + store;
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(under)).count();
    }
  }
}
