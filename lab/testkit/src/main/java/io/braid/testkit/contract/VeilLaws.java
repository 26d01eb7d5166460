package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.time.Timestamp;
import io.braid.testkit.CellText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Faults 44 and 45: cells under a veil show to no reader, and then to all at one instant. */
interface VeilLaws extends StoreUnderTest {
  /** The veiled version: a timestamp of the oracle. */
  long V = 2000 * Timestamp.STEP;

  /** When the lift is wanted. */
  long LATER_THAN_V = 3000 * Timestamp.STEP;

  private void requireVeils() {
    Assumptions.assumeTrue(store().hasVeils(), "The store has no veils.");
    store().advanceClock(T);
  }

  private void load(String family, String... lines) {
    Path file = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, family, file)) {
      for (String line : lines) {
        var cell = CellText.cell(line);
        writer.put(CellText.rowKey(line), cell.column().qualifier(), V, cell.value());
      }
      writer.finish();
    }
    store().ingest(TABLE, family, List.of(file));
  }

  private long lift() {
    Lift lift = lift(0, (row, veiled) -> false);
    assertThat(lift.isLifted()).as(lift.toString()).isTrue();
    return lift.commit();
  }

  /** Lifts the veil. A store may need a fresh timestamp first, as callers of a lift know. */
  private Lift lift(long epoch, LiftCheck check) {
    Lift lift = store().lift(TABLE, V, LATER_THAN_V, epoch, "s", check);
    for (int n = 0; n < 5 && lift.equals(Lift.EXHAUSTED); n++) {
      store().advanceClock(T);
      lift = store().lift(TABLE, V, LATER_THAN_V, epoch, "s", check);
    }
    return lift;
  }

  @Test
  default void nobodySeesWhatLiesUnderAVeil() {
    requireVeils();
    put("a d:q@5=old");
    store().veil(TABLE, V, false);
    load("d", "a d:q@1=new", "b d:q@1=new");
    load("l", "b l:q@1=large");
    load("s", "b s:q@1=sparse");

    assertThat(dump()).containsExactly("a d:q@5=old");
    assertThat(read(B)).isEmpty();
    assertThat(read(A, Selection.column(DATA).newest(1))).containsExactly("d:q@5=old");
    assertThat(run(Program.over(A).newest(A, DATA, Long.MAX_VALUE))).containsExactly("d:q@5=old");
    assertThat(run(Program.over(B).at(B, LARGE, V))).containsExactly("-");
    assertThat(run(Program.over(B).family(B, "s", Bytes.EMPTY))).containsExactly("-");
    assertThat(run(Program.over(B).above(B, DATA, 0))).containsExactly("0");
  }

  @Test
  default void liftShowsEverythingAtOneVersionAboveEverySnapshotServed() {
    requireVeils();
    put("a d:q@5=old");
    store().veil(TABLE, V, false);
    load("d", "a d:q@1=new", "b d:q@1=new");
    load("l", "b l:q@1=large");
    load("s", "b s:q@1=sparse");
    long served = LATER_THAN_V + 5 * Timestamp.STEP;
    store().advanceClock(served);

    long commit = lift();

    assertThat(commit).isGreaterThan(served).isLessThan(served + Timestamp.STEP);
    assertThat(lift()).as("lifted again").isEqualTo(commit);
    assertThat(dump())
        .containsExactly(
            "a d:q@" + commit + "=new",
            "a d:q@5=old",
            "b d:q@" + commit + "=new",
            "b l:q@" + commit + "=large",
            "b s:q@" + commit + "=sparse");
    // A reader at a snapshot below sees the old cells.
    assertThat(read(A, Selection.column(DATA).upTo(commit - 1))).containsExactly("d:q@5=old");
    assertThat(read(A, Selection.family("d").upTo(served).newest(1))).containsExactly("d:q@5=old");
    assertThat(read(A, Selection.column(DATA).newest(1))).containsExactly("d:q@" + commit + "=new");
    assertThat(scanned(Selection.family("d").upTo(served).newest(1))).containsExactly("d:q@5=old");
    assertThat(scanned(Selection.family("d").upTo(commit).newest(1)))
        .containsExactly("d:q@" + commit + "=new", "d:q@" + commit + "=new");
    assertThat(run(Program.over(B).at(B, LARGE, commit)))
        .containsExactly("l:q@" + commit + "=large");
    // A conflict check finds it.
    assertThat(run(Program.over(A).above(A, DATA, served))).containsExactly("" + commit);
    assertThat(run(Program.over(A).above(A, DATA, commit))).containsExactly("0");
    assertThat(run(Program.over(A).newest(A, DATA, served))).containsExactly("d:q@5=old");
    // Later writes lie above it, and removed cells are gone.
    assertThat(draw(A, 0)).isGreaterThan(commit);
    remove(B, DATA, commit);
    remove(B, SPARSE, commit);
    assertThat(read(B)).containsExactly("l:q@" + commit + "=large");
  }

  private List<String> scanned(Selection selection) {
    List<String> found = new ArrayList<>();
    try (RowScanner rows = store().scan(ScanRequest.of(TABLE, KeyRange.ALL, selection))) {
      for (RowCells row = rows.next(); row != null; row = rows.next()) {
        row.cells().forEach(cell -> found.add(CellText.text(cell)));
      }
    }
    return found;
  }

  @Test
  default void whatCameBetweenStaysOnTopUnlessTheVeilWins() {
    requireVeils();
    for (boolean wins : new boolean[] {false, true}) {
      store().dropTable(TABLE);
      store().ensureTable(SCHEMA);
      store().veil(TABLE, V, wins);
      load("d", "a d:q@1=load", "b d:q@1=load");
      long between = V + 7;
      put("a d:q@5=old", "a d:q@" + between + "=theirs");
      read(A, Selection.column(DATA).newest(1));
      read(A, Selection.column(DATA).newest(1));

      long commit = lift();

      String load = "d:q@" + (wins ? commit : V) + "=load";
      String theirs = "d:q@" + between + "=theirs";
      assertThat(read(A))
          .containsExactlyElementsOf(
              wins ? List.of(load, theirs, "d:q@5=old") : List.of(theirs, load, "d:q@5=old"));
      String top = wins ? load : theirs;
      assertThat(read(A, Selection.column(DATA).newest(1))).containsExactly(top);
      assertThat(read(A, Selection.column(DATA).newest(1))).containsExactly(top);
      assertThat(run(Program.over(A).newest(A, DATA, Long.MAX_VALUE))).containsExactly(top);
      assertThat(scanned(Selection.family("d").upTo(commit).newest(1)))
          .containsExactly(top, "d:q@" + commit + "=load");
      // Snapshots below see theirs, and below that what was before.
      assertThat(read(A, Selection.column(DATA).upTo(commit - 1)))
          .containsExactly(theirs, "d:q@5=old");
      assertThat(scanned(Selection.family("d").upTo(between - 1).newest(1)))
          .containsExactly("d:q@5=old");
      // Garbage can be removed at the version where it shows.
      remove(A, DATA, wins ? between : V);
      assertThat(read(A)).containsExactly(top, "d:q@5=old");
    }
  }

  @Test
  default void liftIsRefusedWhileTheCheckFindsSomethingInTheWay() {
    requireVeils();
    store().veil(TABLE, V, false);
    load("d", "a d:q@1=load");
    put("a s:lock@9=", "b s:lock@9=");
    LiftCheck check =
        (row, veiled) -> {
          assertThat(row.cells()).hasSize(1);
          assertThat(veiled.column(OTHER)).isFalse();
          assertThat(veiled.column(DATA)).isEqualTo(veiled.anywhere());
          return veiled.column(DATA);
        };

    Lift blocked = lift(0, check);
    assertThat(blocked).isEqualTo(Lift.blockedBy(List.of(A)));
    assertThat(read(A, Selection.family("d"))).isEmpty();

    remove(A, ColumnName.of("s", "lock"), 9);
    assertThat(lift(0, check).isLifted()).isTrue();
  }

  /**
   * A caller that looked at the table under an older epoch may have missed cells installed since.
   */
  @Test
  default void liftUnderAnOlderEpochIsRefused() {
    requireVeils();
    store().veil(TABLE, V, false);
    load("d", "a d:q@1=load");
    store().raiseEpoch(TABLE, 3);

    assertThat(lift(2, (row, veiled) -> false)).isEqualTo(Lift.STALE);
    assertThat(dump()).isEmpty();
    assertThat(lift(3, (row, veiled) -> false).isLifted()).isTrue();
  }

  @Test
  default void discardedVeilNeverShowsAnything() {
    requireVeils();
    store().veil(TABLE, V, false);
    load("d", "a d:q@1=load");

    assertThat(store().discard(TABLE, V)).isTrue();
    assertThat(store().discard(TABLE, V)).isTrue();

    store().veil(TABLE, V, false);
    assertThatThrownBy(() -> store().lift(TABLE, V, LATER_THAN_V, 0, "s", (row, veiled) -> false))
        .isInstanceOf(StoreException.class);
    load("d", "b d:q@1=late");
    assertThat(dump()).isEmpty();
    remove(A, DATA, V);
    assertThat(dump()).isEmpty();
  }

  /** Fault 64: nothing comes into a table by a load that began before it. */
  @Test
  default void noVeilIsPutOverAVersionFromBeforeTheTable() {
    requireVeils();
    store().dropTable(TABLE);
    store().ensureTable(SCHEMA, () -> LATER_THAN_V);
    assertThatThrownBy(() -> store().veil(TABLE, V, false))
        .isInstanceOf(TableReplacedException.class);
    assertThat(store().veils(TABLE).all()).isEmpty();
    store().veil(TABLE, LATER_THAN_V, false);
    assertThat(store().veils(TABLE).all()).hasSize(1);
  }

  @Test
  default void liftedVeilIsNotDiscardedAndOneBelowTheWatermarkNotLifted() {
    requireVeils();
    store().veil(TABLE, V, false);
    load("d", "a d:q@1=load");
    long commit = lift();
    store().veil(TABLE, V, false);
    assertThat(store().discard(TABLE, V)).isFalse();
    assertThat(read(A)).containsExactly("d:q@" + commit + "=load");

    store().veil(TABLE, V + Timestamp.STEP, false);
    store().raiseWatermark(V + 2 * Timestamp.STEP);
    assertThatThrownBy(
            () ->
                store()
                    .lift(TABLE, V + Timestamp.STEP, LATER_THAN_V, 0, "s", (row, veiled) -> false))
        .isInstanceOf(StoreException.class);
  }

  /** Fault 44. */
  @Test
  default void veilsSurvive() {
    requireVeils();
    store().veil(TABLE, V, true);
    load("d", "a d:q@1=load");
    reopen();
    assertThat(dump()).isEmpty();
    store().advanceClock(T);
    long commit = lift();
    reopen();
    assertThat(dump()).containsExactly("a d:q@" + commit + "=load");
    assertThat(store().veils(TABLE).all()).hasSize(1);
    assertThat(store().veils(TABLE).all().get(0).commit()).isEqualTo(commit);
    store().dropTable(TABLE);
    store().ensureTable(SCHEMA);
    assertThat(store().veils(TABLE).isEmpty()).isTrue();
  }

  /** Fault 45: no reader sees a part, and none sees it come below its snapshot. */
  @Test
  default void liftShowsAllRowsAtOneInstant() throws Exception {
    requireVeils();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      lines.add("r" + (10 + i) + " d:q@1=load");
    }
    store().veil(TABLE, V, false);
    load("d", lines.toArray(String[]::new));
    AtomicReference<Long> lifted = new AtomicReference<>();
    new Race()
        .rounds(1, round -> lifted.set(lift()))
        .meanwhile(
            () -> {
              Long before = lifted.get();
              int seen = 0;
              for (int i = 0; i < 50; i++) {
                int found =
                    read(Row.of(TABLE, "r" + (10 + i)), Selection.column(DATA).newest(1)).size();
                assertThat(found).isGreaterThanOrEqualTo(seen);
                seen = found;
              }
              if (before != null) {
                assertThat(seen).isOne();
              }
              int rows = dump().size();
              assertThat(rows).isIn(0, 50);
            })
        .run();
  }
}
