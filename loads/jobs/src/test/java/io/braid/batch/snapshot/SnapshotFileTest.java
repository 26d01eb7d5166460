package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.JobException;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.transaction.ChangeSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults 46 and 47: what a snapshot file must be, and the tablets that a round keeps. */
class SnapshotFileTest {
  @TempDir Path dir;

  private static SnapshotRecord record(String key) {
    return new SnapshotRecord(Bytes.of(key), 0, 0, Bytes.of("cells of " + key));
  }

  private static List<SnapshotRecord> read(Path file, String table) throws IOException {
    List<SnapshotRecord> records = new ArrayList<>();
    try (SnapshotFile.Reader reader = new SnapshotFile.Reader(file, table, 1 << 10)) {
      for (SnapshotRecord each = reader.next(); each != null; each = reader.next()) {
        records.add(each);
      }
    }
    return records;
  }

  @Test
  void eachFlippedBitIsFound() throws IOException {
    Path file = dir.resolve("s");
    List<SnapshotRecord> records = List.of(record("a"), record("b"));
    SnapshotFile.write(file, "t", true, records);
    assertThat(read(file, "t")).isEqualTo(records);
    byte[] whole = Files.readAllBytes(file);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      boolean sortedOrNot = bit / 8 == Integer.BYTES;
      if (!sortedOrNot) {
        Files.write(file, damaged);
        assertThatThrownBy(() -> read(file, "t")).as("bit " + bit).isInstanceOf(JobException.class);
      }
    }
    Files.write(file, ByteBuffer.allocate(whole.length + 1).put(whole).array());
    assertThatThrownBy(() -> read(file, "t")).isInstanceOf(JobException.class);
  }

  @Test
  void whatIsOfAnotherTableOrNotInOrderIsRefused() throws IOException {
    Path file = dir.resolve("s");
    SnapshotFile.write(file, "t", true, List.of(record("a"), record("b")));
    assertThatThrownBy(() -> read(file, "u"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("of table t, not of u");
    SnapshotFile.write(file, "t", true, List.of(record("b"), record("a")));
    assertThatThrownBy(() -> read(file, "t"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("not in order");
    SnapshotFile.write(file, "t", false, List.of(record("b"), record("a")));
    assertThat(read(file, "t")).hasSize(2);
  }

  /** Otherwise equal keys of two attempts would be imported apart from each other. */
  @Test
  void aRoundKeepsItsTabletsWhenTheySplitBetweenAttempts() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      List<KeyRange> before = new RoundTablets(dir).of(bench.memory, Bench.TABLE);
      bench.memory.splitTablet(Bench.TABLE, Bytes.of("k07"));
      assertThat(bench.memory.tablets(Bench.TABLE)).hasSize(before.size() + 1);
      assertThat(new RoundTablets(dir).of(bench.memory, Bench.TABLE)).isEqualTo(before);
    }
  }
}
