package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.Bench;
import io.braid.batch.input.RawRecord;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.SinkRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps of loads by files that are broken off, or met by others. Faults 44 and 45. */
class SnapshotStepsTest extends SnapshotLoads {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private SnapshotImport run(Bench bench, long version, Algorithm algorithm, Set<Integer> done)
      throws IOException {
    return new SnapshotImport(
        bench.context,
        Files.createDirectories(dir.resolve("round")),
        Bench.TABLE,
        version,
        new SnapshotOptions(algorithm, 1500, 4000, 1),
        done,
        0);
  }

  private static void write(SnapshotImport to, String value) throws IOException {
    CellWrite cell =
        new CellWrite(Bench.column("x").name(), Intent.Kind.PUT, Bytes.of(value), false);
    RecordWriter writer = to.writer(1, 0);
    writer.write(
        List.of(new SinkRecord(new RawRecord(0, Bytes.EMPTY), Bench.row("k01"), List.of(cell))));
    writer.finish();
  }

  /**
   * Fault 44: a snapshot of a task that was broken off is imported, the task runs again with
   * another mapping, and its process dies before that is imported. The log tells what was imported
   * by names, so the second snapshot must not have the name of the first.
   */
  @Test
  void aSnapshotIsImportedThoughOneOfAnEarlierAttemptOfItsTaskWas() throws IOException {
    try (Bench bench = new Bench()) {
      long version = bench.oracle.next();
      VeiledLoad load = new VeiledLoad(bench.context, "l", Bench.TABLE, version, false, PATIENCE);
      load.begin();
      SnapshotImport first = run(bench, version, Algorithm.VANILLA_SORT, Set.of());
      write(first, "first");
      first.finish();
      // The hadoop sort imports nothing before it is finished.
      SnapshotImport second = run(bench, version, Algorithm.HADOOP_SORT, Set.of());
      write(second, "second");
      second.abandon();
      run(bench, version, Algorithm.HADOOP_SORT, Set.of(1)).finish();
      load.commit();
      assertThat(bench.table()).isEqualTo(Map.of("k01", "x=second"));
    }
  }

  /** Remembers how lifts ended. */
  private static final class Lifts extends ForwardingStore {
    final List<Lift> all = new ArrayList<>();

    Lifts(CellStore store) {
      super(store);
    }

    @Override
    public Lift lift(
        String table, long version, long start, long epoch, String family, LiftCheck check) {
      Lift lift = super.lift(table, version, start, epoch, family, check);
      all.add(lift);
      return lift;
    }
  }

  /**
   * Fault 45: an undecided intent on a column of the load is in the way, for its transaction would
   * commit above the load without having seen it; one on another column is not.
   */
  @ParameterizedTest
  @CsvSource({"x, true", "elsewhere, false"})
  void anUndecidedIntentOnALoadedColumnIsDecidedBeforeTheLift(String name, boolean blocks)
      throws IOException {
    try (Bench bench = new Bench()) {
      Lifts lifts = new Lifts(bench.memory);
      long version = bench.oracle.next();
      VeiledLoad load =
          new VeiledLoad(over(bench, lifts), "l", Bench.TABLE, version, false, PATIENCE);
      load.begin();
      SnapshotImport files = run(bench, version, Algorithm.VANILLA_SORT, Set.of());
      write(files, "L");
      files.finish();
      Row row = Bench.row("k01");
      Column<String> column = Bench.column(name);
      Intent left =
          new Intent(
              Intent.Kind.PUT,
              new DecisionPoint.PrimaryCell(row, column.name()),
              "of a dead client",
              1,
              Bytes.of("late"));
      Cell cell = new Cell(Families.intent(column.name()), bench.oracle.next(), left.encode());
      bench.memory.write(List.of(RowWrite.put(row, cell)), Durability.SYNCED);

      load.commit();

      assertThat(lifts.all.get(0).blocked()).isEqualTo(blocks ? List.of(row) : List.of());
      assertThat(lifts.all.get(lifts.all.size() - 1).isLifted()).isTrue();
      assertThat(
              bench.memory.read(RowRead.of(row, Selection.family(Families.INTENT))).cells().stream()
                  .anyMatch(each -> Intent.decode(each.value()).undecided()))
          .isEqualTo(!blocks);
    }
  }
}
