package io.braid.batch.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.Bench;
import io.braid.batch.input.RawRecord;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.snapshot.VeiledLoad;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults 44 and 45: one load that is staged, and one by files above it. */
class LoadBelowVeilTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path dir;

  private static CellWrite cell(String value) {
    return new CellWrite(Bench.column("x").name(), Intent.Kind.PUT, Bytes.of(value), false);
  }

  private void bringIn(Bench bench, long version) {
    Path file = dir.resolve("above");
    try (SortedFileWriter writer = bench.memory.sortedFile(Bench.TABLE, "f", file)) {
      writer.put(
          Bytes.of("k01"),
          Bench.column("x").name().qualifier(),
          version,
          cell("above").record(version).encode(version));
      writer.finish();
    }
    bench.memory.ingest(Bench.TABLE, "f", List.of(file));
  }

  /**
   * Its rows were not settled, or that was lost with a machine, when another load became visible
   * above it: snapshots between the two see the first one, whoever settles its rows, and whenever.
   *
   * @param began whether the load by files began before the other one was committed
   */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, true"})
  void aLoadStaysWhereItWasCommittedWhenAnotherIsLiftedAboveItsUnsettledRows(
      boolean began, boolean wins) {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      long start = bench.oracle.next();
      AtomicLoad load =
          new AtomicLoad(bench.context, "l", Bench.TABLE, start, Conflicts.NEWER, PATIENCE);
      load.begin();
      new StageWriter(bench.context, "l", start, Conflicts.NEWER)
          .write(
              List.of(
                  new SinkRecord(
                      new RawRecord(0, Bytes.EMPTY), Bench.row("k01"), List.of(cell("below")))));
      long early = bench.oracle.next();
      load.commit();
      Snapshot between = bench.transactions.snapshot();
      long version = began ? early : bench.oracle.next();
      VeiledLoad files =
          new VeiledLoad(bench.context, "files", Bench.TABLE, version, wins, PATIENCE);
      files.begin();
      bringIn(bench, version);
      files.commit();
      load.settle();
      assertThat(between.get(Bench.row("k01"), Bench.column("x"))).contains("below");
      assertThat(bench.table().get("k01")).isEqualTo("x=above");
      between.close();
    }
  }
}
