package io.braid.percolator.commit;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteStage;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.protocol.CommitFailures;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.TransactionId;
import io.braid.percolator.resolution.Decision;
import io.braid.percolator.rows.PercolatorAnswer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The intents of a transaction that outgrew the memory, written long before it commits.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The primary is placed before any other intent and kept fresh from then on. If it goes, so
 *       does everything else: transactions that meet the other intents ask the primary.
 *   <li>The writes of a round are answered before those of the next are sent, so that the number of
 *       the round puts them in order (see {@link io.braid.percolator.rows.Prewrite}).
 *   <li>While the primary says that the transaction is open, no commit timestamp was drawn. So
 *       readers need not wait for it, until {@link #commit}.
 *   <li>The memory for the transaction does not grow with it: a range of keys for each table.
 * </ul>
 */
public final class StreamedWrites {
  private static final int TRIP_ROWS = 512;
  private static final long TRIP_BYTES = 1 << 20;

  private final CommitSteps steps;
  private final long start;
  private final PrimaryCell primary;
  private final long epoch;
  private final HeartbeatDuty.Beating beating;
  private final LateCalls late;
  private final Map<String, KeyRange> tables = new TreeMap<>();
  private boolean weak;
  private boolean observed;
  private int round;
  private boolean ended;

  /**
   * @param first the writes until now, a cell of which becomes the primary
   */
  StreamedWrites(CommitSteps steps, PlanWithPrimary first) {
    this.steps = steps;
    this.late = new LateCalls(steps.around.store().resends());
    this.start = first.start();
    this.primary = first.primary();
    this.epoch = first.first().epoch();
    this.beating = steps.heartbeat.begin(primary, start);
  }

  public PrimaryCell primary() {
    return primary;
  }

  public TransactionId id() {
    return new TransactionId(start, primary);
  }

  /** Places the intents of more writes; when that fails the transaction is rolled back. */
  public void place(PlanWithPrimary more) {
    try {
      placeRound(more.withPrimary(primary));
    } catch (RuntimeException failure) {
      rollBack();
      throw failure;
    }
  }

  private void placeRound(PlanWithPrimary plan) {
    WriteStage stage = new WriteStage(++round, true);
    if (round > 1) {
      requireStanding(plan);
    }
    Prewriting prewriting = new Prewriting(steps, plan, late, stage);
    List<RowMutation> rows = plan.mutations();
    int from = 0;
    while (from < rows.size()) {
      // At first only the row of the primary.
      int to = round == 1 && from == 0 ? 1 : endOfTrip(rows, from);
      List<RowMutation> trip = rows.subList(from, to);
      trip.forEach(this::note);
      if (prewriting.place(trip, beating.wallMillis()) != 0) {
        throw new IllegalStateException(
            "The transaction begun at " + start + " committed before it was asked to.");
      }
      prewriting.placed().clear();
      from = to;
    }
  }

  private static int endOfTrip(List<RowMutation> rows, int from) {
    long bytes = 0;
    int to = from;
    while (to < rows.size() && to - from < TRIP_ROWS && bytes < TRIP_BYTES) {
      for (CellWrite cell : rows.get(to).cells()) {
        bytes += cell.value().length();
      }
      to++;
    }
    return to;
  }

  /** Remembers where the transaction has written. */
  private void note(RowMutation mutation) {
    weak |= !mutation.weak().isEmpty();
    observed |= mutation.cells().stream().anyMatch(CellWrite::observed);
    Bytes key = mutation.row().key();
    KeyRange one = new KeyRange(key, key.successor());
    tables.merge(mutation.row().table(), one, StreamedWrites::cover);
  }

  private static KeyRange cover(KeyRange a, KeyRange b) {
    Bytes endOfA = a.end();
    Bytes endOfB = b.end();
    return new KeyRange(
        a.start().compareTo(b.start()) <= 0 ? a.start() : b.start(),
        endOfA == null || (endOfB != null && endOfA.compareTo(endOfB) >= 0) ? endOfA : endOfB);
  }

  /**
   * Does nothing as long as the transaction can still commit: its intents were there for all
   * earlier reads.
   *
   * @throws io.braid.core.transaction.ConflictException when it was rolled back
   */
  public void requireStanding() {
    requireStanding(new PlanWithPrimary(start, primary, List.of()));
  }

  private void requireStanding(PlanWithPrimary plan) {
    PercolatorAnswer answer =
        steps.around.storeRetries().firstAnswer(() -> steps.points.look(primary, start));
    if (answer == null) {
      throw new TabletUnavailableException(
          "The primary of the transaction begun at " + start + " cannot be asked.");
    }
    if (!(answer instanceof PercolatorAnswer.Undecided)) {
      throw CommitSteps.rolledBack(plan);
    }
  }

  /**
   * Commits the transaction.
   *
   * @param rest the writes since the last round
   * @param sink receives changes as their rows are rolled forward
   */
  long commit(PlanWithPrimary rest, ChangeSink sink) {
    PlanWithPrimary plan = rest.withPrimary(primary);
    long commit;
    try {
      if (!rest.mutations().isEmpty()) {
        placeRound(plan);
      }
      commit = commitPrimary(plan);
    } catch (RuntimeException failure) {
      commit = commitOrThrow(plan, failure);
    }
    end(new Decision(commit), sink);
    return commit;
  }

  private long commitPrimary(PlanWithPrimary plan) {
    CommitPoint point = new CommitPoint(steps, plan, late, epoch, weak);
    long commit = point.endWriting();
    CommitFailures.stopIfInterrupted(plan.start());
    return commit != 0 ? commit : point.commit(steps.around.oracle().next());
  }

  /**
   * Returns the commit timestamp if the primary says that the transaction has committed; else
   * throws.
   */
  private long commitOrThrow(PlanWithPrimary plan, RuntimeException failure) {
    long commit = CommitSteps.ended(plan, late, rollBack());
    if (commit == 0) {
      throw failure;
    }
    return commit;
  }

  /**
   * Gives the transaction up: rolls back its primary, the rest follows. Does nothing after the end.
   *
   * @return the decision of the primary; null when it cannot be asked, or was asked before
   */
  public @Nullable Decision rollBack() {
    if (ended) {
      return null;
    }
    steps.points.abandon(start);
    try {
      Decision decision = steps.decideOwn(new PlanWithPrimary(start, primary, List.of()));
      if (decision != null) {
        end(decision, ChangeSink.NONE);
      }
      return decision;
    } finally {
      ended = true;
      beating.close();
    }
  }

  private void end(Decision decision, ChangeSink sink) {
    if (!ended) {
      ended = true;
      beating.close();
      StreamedRows.Left left =
          new StreamedRows.Left(weak, weak || observed ? sink : ChangeSink.NONE);
      steps.finish.finish(
          new StreamedRows(
              steps.around.store(), steps.finisher, start, new TreeMap<>(tables), left, decision));
    }
  }
}
