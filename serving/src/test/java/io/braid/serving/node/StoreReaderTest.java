package io.braid.serving.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.Search;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 52: a reader follows swaps and rollbacks, and what it read from stays until it is closed.
 */
class StoreReaderTest {
  private static final byte[] KEY = NodeFixture.key(3).toArray();

  @TempDir Path root;

  @Test
  void eachReadIsOfTheVersionThatIsLive() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), new SystemSeams());
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY);
        StoreReader reader = store.reader()) {
      assertThatThrownBy(() -> reader.get(KEY))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOTHING_LIVE));
      NodeFixture.add(root, store.versions(), 1, 10);
      NodeFixture.add(root, store.versions(), 2, 10);
      store.swap(1, false);
      assertThat(reader.get(KEY)).isEqualTo(Bytes.of("value 1").toArray());
      ByteBuffer view = reader.view(KEY);
      store.swap(2, false);
      store.retire(0);
      assertThat(view).isNotNull().extracting(ByteBuffer::remaining).isEqualTo(7);
      assertThat(reader.get(KEY)).isEqualTo(Bytes.of("value 2").toArray());
      assertThat(reader.version()).isEqualTo(2);
      assertThat(reader.get(new byte[] {1})).isNull();
    }
  }

  @Test
  void theOldVersionIsUnmappedWhenTheReaderHasMovedOnButNotByTheReader() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), new SystemSeams());
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY);
        StoreReader reader = store.reader()) {
      NodeFixture.add(root, store.versions(), 1, 10);
      NodeFixture.add(root, store.versions(), 2, 10);
      store.swap(1, false);
      reader.get(KEY);
      OpenVersion first = Objects.requireNonNull(store.live());
      store.swap(2, false);
      store.retire(0);
      assertThat(first.isClosed()).isFalse();
      reader.get(KEY);
      assertThat(first.isClosed()).isFalse();
      store.retire(0);
      assertThat(first.isClosed()).isTrue();
    }
  }

  @Test
  void packedValuesComeUnpacked() throws IOException {
    BuildPlan plan = BuildPlan.of(NodeFixture.STORE).compression(Compression.LZ4);
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), new SystemSeams());
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY)) {
      NodeFixture.fetch(store.versions(), NodeFixture.build(root, plan, 1, 10), 1);
      store.swap(1, false);
      try (StoreReader reader = store.reader()) {
        assertThat(reader.get(KEY)).isEqualTo(Bytes.of("value 1").toArray());
      }
    }
  }
}
