package io.braid.serving.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.Search;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 52: swaps and rollbacks under load; readers finish on the version they began with. */
class SwapUnderLoadTest {
  private static final int KEYS = 50;
  private static final SystemSeams SEAMS = new SystemSeams();

  @TempDir Path root;

  @Test
  void readersSeeNoErrorAndNoMixtureThroughSwapsAndRollbacks() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), SEAMS);
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY)) {
      NodeFixture.add(root, store.versions(), 1, KEYS);
      store.swap(1, false);
      AtomicBoolean end = new AtomicBoolean();
      AtomicLong reads = new AtomicLong();
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      List<Task> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(SEAMS.start("reader", () -> read(store, end, reads, failure)));
      }
      for (long version = 2; version <= 12; version++) {
        NodeFixture.add(root, store.versions(), version, KEYS);
        store.swap(version, false);
        if (version % 2 == 0) {
          store.rollBack(0);
          store.swap(version, true);
        }
        store.retire(0);
        store.versions().trash().empty(1L << 40, () -> false);
      }
      end.set(true);
      readers.forEach(reader -> assertThat(reader.join(Duration.ofSeconds(30))).isTrue());
      assertThat(failure.get()).isNull();
      assertThat(reads.get()).isPositive();
    }
  }

  private static void read(
      ServedStore store,
      AtomicBoolean end,
      AtomicLong reads,
      AtomicReference<@Nullable Throwable> failure) {
    List<Bytes> keys = IntStream.range(0, KEYS).mapToObj(NodeFixture::key).toList();
    try {
      while (!end.get()) {
        Set<Optional<Bytes>> values = new HashSet<>(store.getAll(keys));
        if (values.size() != 1 || values.contains(Optional.<Bytes>empty())) {
          throw new AssertionError("A mixture: " + values);
        }
        reads.incrementAndGet();
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  @Test
  void aReaderKeepsItsVersionMappedAfterItsFilesAreGone() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), SEAMS);
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY)) {
      NodeFixture.add(root, store.versions(), 1, KEYS);
      NodeFixture.add(root, store.versions(), 2, KEYS);
      store.swap(1, false);
      byte[] key = NodeFixture.key(7).toArray();
      try (Lease lease = store.lease()) {
        ByteBuffer before = lease.view(key, 0, key.length);
        store.swap(2, false);
        store.retire(0);
        store.versions().trash().empty(1L << 40, () -> false);
        assertThat(store.versions().numbers()).containsExactly(2L);
        assertThat(lease.get(NodeFixture.key(7))).contains(Bytes.of("value 1"));
        assertThat(before).isNotNull().extracting(ByteBuffer::remaining).isEqualTo(7);
        assertThat(store.get(NodeFixture.key(7))).contains(Bytes.of("value 2"));
      }
      assertThat(store.get(NodeFixture.key(7))).contains(Bytes.of("value 2"));
    }
  }

  /** However long a swap, a rollback or a deletion takes: they hold the lock that is held here. */
  @Test
  void aReadWaitsForNoChange() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), SEAMS);
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY)) {
      for (long version = 1; version <= 2; version++) {
        NodeFixture.add(root, store.versions(), version, KEYS);
        store.swap(version, false);
      }
      AtomicReference<Optional<Bytes>> live = new AtomicReference<>(Optional.empty());
      AtomicReference<Optional<Bytes>> before = new AtomicReference<>(Optional.empty());
      synchronized (store) {
        Task reader =
            SEAMS.start(
                "reader",
                () -> {
                  live.set(store.get(NodeFixture.key(1)));
                  try (Lease lease = store.lease(1)) {
                    before.set(lease.get(NodeFixture.key(1)));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        assertThat(reader.join(Duration.ofSeconds(30))).isTrue();
      }
      assertThat(live.get()).contains(NodeFixture.value(2));
      assertThat(before.get()).contains(NodeFixture.value(1));
    }
  }

  /** To unmap takes time, which is not the last reader's. */
  @Test
  void filesAreUnmappedWhenTheLastReaderHasLeft() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), SEAMS)) {
      StoreVersions versions = node.store(NodeFixture.STORE);
      NodeFixture.add(root, versions, 1, KEYS);
      OpenVersion open =
          OpenVersion.open(1, versions.directory(1), versions.whole(1), Search.BINARY);
      int first = open.enter();
      int second = open.enter();
      open.retire();
      assertThat(open.enter()).isNegative();
      open.leave(first);
      assertThat(open.isClosed()).isFalse();
      open.leave(second);
      assertThat(open.isClosed()).isFalse();
      assertThat(open.retire()).isTrue();
      assertThat(open.isClosed()).isTrue();
    }
  }

  @Test
  void ofAStoreThatIsClosedTheLastReaderUnmapsTheFiles() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), SEAMS)) {
      ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY);
      NodeFixture.add(root, store.versions(), 1, KEYS);
      store.swap(1, false);
      OpenVersion open = Objects.requireNonNull(store.live());
      Lease lease = store.lease();
      store.close();
      assertThat(open.isClosed()).isFalse();
      lease.close();
      assertThat(open.isClosed()).isTrue();
    }
  }

  @Test
  void aLeaseThatEndedReadsNothing() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), SEAMS);
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY)) {
      assertThatThrownBy(store::lease)
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOTHING_LIVE));
      NodeFixture.add(root, store.versions(), 1, KEYS);
      store.swap(1, false);
      Lease lease = store.lease();
      lease.close();
      assertThatThrownBy(() -> lease.get(NodeFixture.key(1)))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
