package io.braid.batch.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.Bench;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.rows.LoadAnswer;
import io.braid.batch.rows.LoadRow;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.DecideLoad.Step;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.loads.LoadState.Phase;
import io.braid.core.loads.StageRow;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.transaction.Transaction;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each procedure of a load refuses, and what a repeated one does. Faults 43, 44 and 45. */
class LoadStepsTest {
  private static final Row ROW = Bench.row("k01");

  private final Bench bench = new Bench();
  private final long start = bench.oracle.next();

  @AfterEach
  void close() {
    bench.close();
  }

  private <A, R> R run(Procedure<A, R> procedure, A argument) {
    return ((Outcome.Done<R>) bench.memory.execute(procedure, argument, Durability.SYNCED))
        .result();
  }

  private RowMutation mutation(String value) {
    CellWrite cell =
        new CellWrite(Bench.column("x").name(), Intent.Kind.PUT, Bytes.of(value), false);
    return new RowMutation(ROW, bench.memory.epoch(Bench.TABLE), List.of(cell), List.of());
  }

  private StageRow.Answer stage(RowMutation mutation) {
    return run(StageRow.INSTANCE, new StageRow.Request(mutation, "l", start));
  }

  private void hold() {
    Bytes hold = new Hold("g", 1, 1, Bench.row("leader")).encode();
    bench.memory.write(
        List.of(RowWrite.put(ROW, new Cell(Families.hold(), 1, hold))), Durability.SYNCED);
  }

  private void write(String value) {
    try (Transaction tx = bench.transactions.begin()) {
      tx.set(ROW, Bench.column("x"), value);
      tx.commit();
    }
  }

  private int cells(String family) {
    return bench.memory.read(RowRead.of(ROW, Selection.family(family))).cells().size();
  }

  /** Fault 45: a load keeps out of rows that a key group owns. */
  @Test
  void rowsOfKeyGroupsAreLeftAlone() {
    hold();
    assertThat(run(LoadRow.INSTANCE, new LoadRow.Request(mutation("L"), start, Conflicts.LOAD)))
        .isEqualTo(new LoadAnswer.Refused(new Refusal.Held(ROW, "g", Bench.row("leader"))));
    assertThat(stage(mutation("L"))).isEqualTo(new StageRow.Answer(StageRow.Kind.HELD, 0, "g"));
    assertThat(cells("f")).isZero();
    assertThat(cells(Families.INTENT)).isEqualTo(1);
  }

  /** Faults 44 and 45: what was sent under an earlier epoch and comes late does nothing. */
  @Test
  void callsUnderAnEarlierEpochAreRefused() {
    RowMutation late = mutation("L");
    bench.memory.raiseEpoch(Bench.TABLE, late.epoch() + 1);
    assertThat(run(LoadRow.INSTANCE, new LoadRow.Request(late, start, Conflicts.LOAD)))
        .isInstanceOf(LoadAnswer.Refused.class);
    assertThat(stage(late).kind()).isEqualTo(StageRow.Kind.STALE_EPOCH);
    assertThat(cells("f") + cells(Families.INTENT)).isZero();
  }

  /** Fault 45: what a load would conflict with may be collected below the low watermark. */
  @Test
  void loadsFromBelowTheLowWatermarkAreRefused() {
    bench.memory.raiseWatermark(start + 1);
    assertThat(run(LoadRow.INSTANCE, new LoadRow.Request(mutation("L"), start, Conflicts.LOAD)))
        .isEqualTo(new LoadAnswer.Refused(new Refusal.BelowWatermark(start + 1)));
    assertThat(stage(mutation("L")).kind()).isEqualTo(StageRow.Kind.TOO_OLD);
    assertThat(cells("f") + cells(Families.INTENT)).isZero();
  }

  /** Fault 43: of two records with one key and different values none wins by chance. */
  @ParameterizedTest
  @CsvSource({"one, two", "one, LARGE", "LARGE, one", "LARGE, OTHER"})
  void anotherValueOfTheSameLoadIsRefusedAndTheSameChangesNothing(String first, String second) {
    assertThat(stage(of(first)).kind()).isEqualTo(StageRow.Kind.STAGED);
    assertThat(stage(of(second)).kind()).isEqualTo(StageRow.Kind.OTHER_VALUE);
    assertThat(stage(of(first))).isEqualTo(new StageRow.Answer(StageRow.Kind.STAGED, 0, ""));
    assertThat(cells(Families.INTENT)).isEqualTo(1);
  }

  /** Long texts go to a family of their own, and are compared there. */
  private RowMutation of(String value) {
    if (!value.equals("LARGE") && !value.equals("OTHER")) {
      return mutation(value);
    }
    CellWrite large =
        new CellWrite(
            Bench.column("x").name(), Intent.Kind.PUT_LARGE, Bytes.of(value.repeat(500)), false);
    return new RowMutation(ROW, bench.memory.epoch(Bench.TABLE), List.of(large), List.of());
  }

  /** Fault 45: under the policies to fail and to let newer win, what others wrote is counted. */
  @Test
  void stagingCountsWhatOthersHaveWrittenSinceTheLoadBegan() {
    write("mine");
    assertThat(stage(mutation("L"))).isEqualTo(new StageRow.Answer(StageRow.Kind.STAGED, 1, ""));
  }

  /** Fault 44: of the commit timestamps that are proposed the first holds, for everybody. */
  @Test
  void theFirstCommitTimestampThatIsProposedHolds() {
    begin(Phase.CLOSING);
    assertThat(decide(DecideLoad.Request.commit("l", 100)).commit()).isEqualTo(100);
    assertThat(decide(DecideLoad.Request.commit("l", 200)).commit()).isEqualTo(100);
    assertThat(decide(DecideLoad.Request.of("l", Step.ABORT)).phase()).isEqualTo(Phase.COMMITTED);
  }

  /** Fault 44: steps that come late, twice or from another drainer leave the record as it is. */
  @ParameterizedTest
  @CsvSource({
    "LOADING, COMMIT",
    "DRAINING, COMMIT",
    "ABORTED, COMMIT",
    "LOADING, CLOSE",
    "COMMITTED, CLOSE",
    "ABORTED, CLOSE",
    "LOADING, REOPEN",
    "CLOSING, REOPEN",
    "COMMITTED, REOPEN",
    "ABORTED, REOPEN",
    "DRAINING, DRAIN",
    "CLOSING, DRAIN",
    "COMMITTED, DRAIN",
    "ABORTED, DRAIN",
    "CLOSING, ABORT",
    "COMMITTED, ABORT",
    "LOADING, BEGIN",
    "ABORTED, BEGIN"
  })
  void aStepThatDoesNotBeginHereChangesNothing(Phase phase, Step step) {
    begin(phase);
    LoadState before = decide(DecideLoad.Request.of("l", Step.BEGIN));
    LoadState begun = LoadState.begun("other", 7, true);
    decide(
        new DecideLoad.Request(
            "l", step, step == Step.BEGIN ? begun : null, 300, step == Step.DRAIN ? "e/1" : "d/1"));
    assertThat(decide(DecideLoad.Request.of("l", Step.BEGIN))).isEqualTo(before);
  }

  /**
   * Fault 44: who took the record back, or drained it anew, is not closed by an earlier drainer.
   */
  @ParameterizedTest
  @CsvSource({"CLOSE", "REOPEN"})
  void onlyItsDrainerTakesALoadFurther(Step step) {
    begin(Phase.DRAINING);
    assertThat(decide(DecideLoad.Request.draining("l", step, "e/1")).phase())
        .isEqualTo(Phase.DRAINING);
    assertThat(decide(DecideLoad.Request.draining("l", step, "d/1")).phase())
        .isNotEqualTo(Phase.DRAINING);
  }

  private void begin(Phase phase) {
    decide(DecideLoad.Request.begin("l", LoadState.begun(Bench.TABLE, start, false)));
    if (phase == Phase.ABORTED) {
      decide(DecideLoad.Request.of("l", Step.ABORT));
    } else if (phase != Phase.LOADING) {
      decide(DecideLoad.Request.draining("l", Step.DRAIN, "d/1"));
      if (phase != Phase.DRAINING) {
        decide(DecideLoad.Request.draining("l", Step.CLOSE, "d/1"));
      }
      if (phase == Phase.COMMITTED) {
        decide(DecideLoad.Request.commit("l", 100));
      }
    }
    assertThat(decide(DecideLoad.Request.of("l", Step.BEGIN)).phase()).isEqualTo(phase);
  }

  private LoadState decide(DecideLoad.Request request) {
    return Objects.requireNonNull(LoadDecisions.decide(bench.memory, request));
  }
}
