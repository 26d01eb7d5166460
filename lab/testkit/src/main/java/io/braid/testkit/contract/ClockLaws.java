package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import io.braid.testkit.CellText;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tablet clock draws above all that was served and below all that the oracle will give. */
interface ClockLaws extends StoreUnderTest {
  /** A later timestamp of the oracle. */
  long LATER = T + 50 * Timestamp.STEP;

  /** The ways in which a snapshot is served in row {@code a}. */
  enum Serving {
    READ {
      @Override
      List<String> serve(StoreUnderTest laws, long snapshot) {
        return CellText.lines(
            laws.store().read(new RowRead(A, List.of(laws.everything()), snapshot)));
      }
    },
    SCAN {
      @Override
      List<String> serve(StoreUnderTest laws, long snapshot) {
        return CellText.scan(laws.store(), laws.scanOf(KeyRange.ALL).at(snapshot));
      }
    },
    SCAN_OPENED {
      @Override
      List<String> serve(StoreUnderTest laws, long snapshot) {
        try (RowScanner scanner = laws.store().scan(laws.scanOf(KeyRange.ALL).at(snapshot))) {
          RowCells first = scanner.next();
          return first == null ? List.of() : CellText.lines(first);
        }
      }
    },
    PROCEDURE {
      @Override
      List<String> serve(StoreUnderTest laws, long snapshot) {
        return laws.run(Program.over(A).at(snapshot).newest(A, DATA, snapshot));
      }
    },
    READ_ONLY_PROCEDURE {
      @Override
      List<String> serve(StoreUnderTest laws, long snapshot) {
        return laws.runReading(Program.over(A).at(snapshot).newest(A, DATA, snapshot));
      }
    };

    /** Serves a snapshot, and returns the cells seen. */
    abstract List<String> serve(StoreUnderTest laws, long snapshot);
  }

  /** Fault 22: what a clock served before it was lost is not in the data. */
  @Test
  default void coldClockDrawsNothing() {
    put("a d:q@" + T + "=");

    assertThat(draw(A, LATER)).isEqualTo(TabletClock.EXHAUSTED);

    assertThat(read(A)).containsExactly("d:q@" + T + "=");
    store().advanceClock(T);
    assertThat(draw(A, T)).isGreaterThan(T);
  }

  @Test
  default void servedSnapshotDoesNotWarmAColdClock() {
    for (Serving serving : Serving.values()) {
      serving.serve(this, LATER);
    }

    assertThat(draw(A, 0)).isEqualTo(TabletClock.EXHAUSTED);
  }

  @Test
  default void drawnVersionIsStoredAndLiesJustAboveTheOraclesTimestamp() {
    store().advanceClock(T);

    long drawn = draw(A, 0);

    assertThat(drawn).isGreaterThan(T).isLessThan(T + Timestamp.STEP);
    assertThat(read(A)).containsExactly("d:q@" + drawn + "=drawn");
  }

  @Test
  default void drawsRiseAndLieAboveTheirLowerBound() {
    store().advanceClock(T);
    long before = T;
    for (int i = 0; i < 50; i++) {
      long atLeast = T + (i / 10) * Timestamp.STEP;
      long drawn = draw(A, atLeast);
      assertThat(drawn).isGreaterThan(before).isGreaterThan(atLeast);
      assertThat(Timestamp.withoutLocal(drawn)).isEqualTo(atLeast);
      before = drawn;
    }
  }

  /** Fault 22: the local sequence never carries into the bits of the oracle. */
  @Test
  default void drawsEndWithTheLocalBitsAndGoOnWithAFreshTimestamp() {
    store().advanceClock(T);
    long before = T;
    int draws = 0;
    for (long drawn = draw(A, 0); drawn != TabletClock.EXHAUSTED; drawn = draw(A, 0)) {
      assertThat(drawn).isGreaterThan(before).isLessThan(T + Timestamp.STEP);
      before = drawn;
      draws++;
    }

    assertThat(draws).isBetween(1, (int) Timestamp.STEP - 1);
    assertThat(draw(A, T)).as("still").isEqualTo(TabletClock.EXHAUSTED);
    assertThat(read(A)).hasSize(draws);
    store().advanceClock(T + Timestamp.STEP);
    assertThat(draw(A, 0)).isGreaterThan(T + Timestamp.STEP);
  }

  @Test
  default void higherLowerBoundHelpsAnExhaustedClock() {
    store().advanceClock(T);
    store().read(new RowRead(A, List.of(everything()), T + Timestamp.STEP - 1));
    assertThat(draw(A, 0)).isEqualTo(TabletClock.EXHAUSTED);

    assertThat(draw(A, LATER)).isGreaterThan(LATER).isLessThan(LATER + Timestamp.STEP);
  }

  @ParameterizedTest
  @EnumSource(Serving.class)
  default void servedSnapshotRaisesTheClock(Serving serving) {
    store().advanceClock(T);
    put("a d:q@1=");

    serving.serve(this, LATER);

    assertThat(draw(A, T)).isGreaterThan(LATER).isLessThan(LATER + Timestamp.STEP);
  }

  @ParameterizedTest
  @EnumSource(Serving.class)
  default void clockNeverGoesBack(Serving serving) {
    store().advanceClock(LATER);

    serving.serve(this, T);
    store().advanceClock(T);
    run(Program.over(A).raise(A, T));

    assertThat(draw(A, T)).isGreaterThan(LATER);
  }

  @Test
  default void snapshotOfAnEmptyScanRaisesTheClockToo() {
    store().advanceClock(T);

    CellText.scan(store(), scanOf(StoreUnderTest.range("a", "b")).at(LATER));

    assertThat(draw(A, T)).isGreaterThan(LATER);
  }

  @Test
  default void storedVersionRaisesTheClockWhenTheProcedureSaysSo() {
    store().advanceClock(T);

    run(Program.over(A).put(A, DATA, LATER, "").raise(A, LATER));

    assertThat(draw(A, T)).isGreaterThan(LATER);
  }

  @Test
  default void advanceReachesEveryTabletOfEveryTable() {
    store().splitTablet(TABLE, Bytes.of("m"));

    store().advanceClock(T);

    assertThat(draw(A, 0)).isBetween(T + 1, T + Timestamp.STEP - 1);
    assertThat(draw(Z, 0)).isBetween(T + 1, T + Timestamp.STEP - 1);
  }

  @Test
  default void scanRaisesTheClocksOfAllTabletsInItsRange() {
    store().splitTablet(TABLE, Bytes.of("g"));
    store().splitTablet(TABLE, Bytes.of("m"));
    store().advanceClock(T);

    CellText.scan(store(), scanOf(KeyRange.ALL).at(LATER));

    for (Row row : List.of(A, Row.of(TABLE, "h"), Z)) {
      assertThat(draw(row, T)).isGreaterThan(LATER);
    }
  }

  /** Fault 22: both halves of a split remember the snapshots that were served. */
  @Test
  default void bothHalvesOfASplitTabletRememberServedSnapshots() {
    store().advanceClock(T);
    CellText.scan(store(), scanOf(KeyRange.ALL).at(LATER));

    store().splitTablet(TABLE, Bytes.of("m"));
    store().advanceClock(T + Timestamp.STEP);

    assertThat(draw(A, T)).isGreaterThan(LATER);
    assertThat(draw(Z, T)).isGreaterThan(LATER);
  }

  /**
   * Fault 22: a reader at 100 comes while a local commit at 51 is drawn and not applied. It is let
   * run until it waits or has ended; if it did not wait, it has missed the commit.
   */
  @ParameterizedTest
  @EnumSource(Serving.class)
  default void readerWaitsForALocalCommitThatWasDrawnBelowItsSnapshot(Serving serving)
      throws Exception {
    store().advanceClock(T);
    AtomicReference<List<String>> seen = new AtomicReference<>(List.of());
    Thread reader = new Thread(() -> seen.set(serving.serve(this, LATER)), "reader");
    Halt.next(() -> letRunUntilItWaits(reader));

    String drawn = run(Program.over(A).draw(A, DATA, 0, "drawn").halt()).get(0);

    assumeThat(reader.getState()).as("run in this process").isNotEqualTo(Thread.State.NEW);
    reader.join();
    // A repeated call draws above the reader, which has been served by then.
    assumeThat(Halt.comes()).as("executed once").isEqualTo(1);
    assertThat(Long.parseLong(drawn)).isBetween(T + 1, LATER);
    assertThat(seen.get()).singleElement(STRING).endsWith("d:q@" + drawn + "=drawn");
  }

  private static void letRunUntilItWaits(Thread thread) {
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
      Thread.yield();
    }
  }

  @Test
  default void throwingProcedureThatDrewHoldsNoReaderUp() {
    store().advanceClock(T);
    assertThatThrownBy(() -> run(Program.over(A).draw(A, DATA, 0, "never").fail()))
        .isInstanceOf(RuntimeException.class);

    store().read(new RowRead(A, List.of(everything()), LATER));

    assertThat(dump()).isEmpty();
    assertThat(draw(A, 0)).isGreaterThan(LATER);
  }

  /** Fault 22: the clock is lost with its server. */
  @Test
  default void reopenedStoreDrawsOnlyAboveAFreshTimestamp() {
    store().advanceClock(T);
    long before = draw(A, 0);

    reopen();

    assertThat(draw(A, LATER)).isEqualTo(TabletClock.EXHAUSTED);
    store().advanceClock(LATER);
    assertThat(draw(A, 0)).isGreaterThan(LATER);
    assertThat(read(A)).hasSize(2).contains("d:q@" + before + "=drawn");
  }
}
