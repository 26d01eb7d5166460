package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.OnePhaseCommit;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two clients that know nothing of each other raise the epoch of one table at the same time. */
class EpochIT {
  private static final String TABLE = "t";
  private static final ColumnName COLUMN = ColumnName.of("f", "q");
  private static final List<Row> ROWS =
      List.of(Row.of(TABLE, "a"), Row.of(TABLE, "k"), Row.of(TABLE, "z"));
  private static final int ROUNDS = 2;

  private final HBaseOptions options = HBaseOptions.DEFAULT.withNamespace("epochs");

  @Test
  void noRegionTakesALowerEpochAfterEitherRaiseHasReturned() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (CellStore one = HBaseStore.connect(LocalCluster.configuration(), options);
        CellStore other = HBaseStore.connect(LocalCluster.configuration(), options)) {
      one.ensureTable(Families.transactional(TABLE, List.of("f")));
      one.splitTablet(TABLE, Bytes.of("f"));
      one.splitTablet(TABLE, Bytes.of("p"));
      for (int round = 1; round <= ROUNDS; round++) {
        long low = 10L * round;
        long high = low + 5;
        Future<?> first = threads.submit(() -> raise(one, other, low));
        Future<?> second = threads.submit(() -> raise(other, one, high));
        first.get(2, TimeUnit.MINUTES);
        second.get(2, TimeUnit.MINUTES);

        assertThat(List.of(one.epoch(TABLE), other.epoch(TABLE))).containsOnly(high);
        ROWS.forEach(row -> assertThat(isRefused(one, row, high)).as("%s", row).isFalse());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void raise(CellStore by, CellStore seenBy, long epoch) {
    by.raiseEpoch(TABLE, epoch);
    for (Row row : ROWS) {
      assertThat(isRefused(seenBy, row, epoch - 1)).as("%s at %d", row, epoch).isTrue();
    }
  }

  /** Whether a writer who knows this epoch is refused for it. */
  private static boolean isRefused(CellStore store, Row row, long epoch) {
    CellWrite write = new CellWrite(COLUMN, Intent.Kind.PUT, Bytes.of("v"), false);
    OnePhaseCommit.Request request =
        new OnePhaseCommit.Request(
            List.of(new RowMutation(row, epoch, List.of(write), List.of())),
            1,
            new DecisionPoint.PrimaryCell(row, COLUMN));
    Outcome<Answer> outcome = store.execute(OnePhaseCommit.INSTANCE, request, Durability.BUFFERED);
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done<Answer>) outcome).result() instanceof Answer.Refused;
  }
}
