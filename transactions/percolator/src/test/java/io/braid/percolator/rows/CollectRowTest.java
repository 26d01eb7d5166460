package io.braid.percolator.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.time.Timestamp;
import io.braid.testkit.CellText;
import io.braid.testkit.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a collection takes from a row whatever its caller believes (faults 26, 27, 28). */
class CollectRowTest {
  private static final Row ROW = Row.of("t", "r");
  private static final ColumnName X = ColumnName.of("f", "x");
  private static final long HORIZON = 20 * Timestamp.STEP;

  private final MemoryStore store = new MemoryStore();

  @BeforeEach
  void createTable() {
    store.ensureTable(Families.transactional("t", List.of("f")));
    store.advanceClock(5 * Timestamp.STEP);
  }

  private void collect() {
    CollectRow.Request request =
        new CollectRow.Request(
            ROW, 0, HORIZON, List.of(new CollectRow.Part(X, 0)), /* deadLetters= */ false);
    store.execute(CollectRow.INSTANCE, request, Durability.BUFFERED);
  }

  private void commit(long start) {
    CellWrite put = new CellWrite(X, Intent.Kind.PUT, Bytes.of("v"), false);
    RowMutation mutation = new RowMutation(ROW, 0, List.of(put), List.of());
    store.execute(
        OnePhaseCommit.INSTANCE,
        new OnePhaseCommit.Request(List.of(mutation), start, new PrimaryCell(ROW, X)),
        Durability.BUFFERED);
  }

  private void prewrite(String column, long start) {
    ColumnName at = ColumnName.of("f", column);
    CellWrite put = new CellWrite(at, Intent.Kind.PUT, Bytes.of("v"), false);
    RowMutation mutation = new RowMutation(ROW, 0, List.of(put), List.of());
    store.execute(
        Prewrite.INSTANCE,
        new Prewrite.Request(mutation, start, new PrimaryCell(ROW, at), "p", 1000),
        Durability.BUFFERED);
  }

  private void leaveMark(String column, long start) {
    store.execute(
        ResolvePrimary.INSTANCE,
        new ResolvePrimary.Request(
            new PrimaryCell(ROW, ColumnName.of("f", column)), 0, start, ResolvePrimary.NEVER, true),
        Durability.BUFFERED);
  }

  /** Fault 26: the store lets others read below the horizon, and begin there. */
  @Test
  void nothingGoesAboveTheLowWatermark() {
    commit(6 * Timestamp.STEP);
    commit(8 * Timestamp.STEP);
    store.raiseWatermark(HORIZON - 1);
    List<String> before = CellText.dump(store, "t");
    assertThat(before).hasSize(2);
    assertThatThrownBy(this::collect).hasMessageContaining("above the low watermark");
    assertThat(CellText.dump(store, "t")).isEqualTo(before);
    store.raiseWatermark(HORIZON);
    collect();
    assertThat(CellText.dump(store, "t")).hasSize(1);
  }

  /** Faults 27 and 28: a late prewrite above the horizon finds its mark, an open lock stays. */
  @Test
  void ofIntentsOnlyMarksBelowTheHorizonGo() {
    prewrite("open", HORIZON - 2 * Timestamp.STEP);
    leaveMark("above", HORIZON + Timestamp.STEP);
    List<String> needed = CellText.dump(store, "t");
    assertThat(needed).hasSize(2);
    leaveMark("below", HORIZON - Timestamp.STEP);
    assertThat(CellText.dump(store, "t")).hasSize(3);
    store.raiseWatermark(HORIZON);
    collect();
    assertThat(CellText.dump(store, "t")).isEqualTo(needed);
  }
}
