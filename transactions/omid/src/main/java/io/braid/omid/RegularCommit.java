package io.braid.omid;

import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.CommitFailures;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.OmidAnswer;
import io.braid.omid.rows.WriteTentative;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one transaction (algorithm 3: {@code WRITE}, for all rows at once, and {@code
 * COMMIT}).
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The manager is asked only after every tentative cell is acknowledged. A snapshot at or
 *       above the commit timestamp is drawn later and finds all of these cells.
 *   <li>The entry of the commit table is the commit point: the first proposal wins. After a
 *       proposal was sent, only the entry shows how the transaction ended. It is asked in a way
 *       that decides.
 *   <li>Tentative cells are removed only when the transaction cannot commit any more: no proposal
 *       was sent, or the entry is invalid. An invalid entry is left to the sweep: a copy of the
 *       proposal may still arrive, and has to find the entry.
 * </ul>
 */
final class RegularCommit {
  private final ProtocolContext around;
  private final CommitTable commits;
  private final PostCommitDuty postCommit;
  private final PlanWithEntry plan;
  private final BiPredicate<String, ColumnName> unchecked;
  private boolean proposed;
  // The commit timestamp if a late call has committed all of it in one phase; 0 otherwise.
  private long already;
  private String lost = "";

  RegularCommit(
      ProtocolContext around,
      CommitTable commits,
      PostCommitDuty postCommit,
      PlanWithEntry plan,
      BiPredicate<String, ColumnName> unchecked) {
    this.unchecked = unchecked;
    this.around = around;
    this.commits = commits;
    this.postCommit = postCommit;
    this.plan = plan;
  }

  /** Commits the transaction and returns the commit timestamp. */
  long commit() {
    long commit;
    try {
      writeAll();
      if (already != 0) {
        return already;
      }
      CommitFailures.stopIfInterrupted(plan.start());
      commit = propose(grant());
    } catch (CommitOutcomeUnknownException unknown) {
      throw unknown;
    } catch (RuntimeException failure) {
      commit = abort(failure);
    }
    // After the commit point: nothing from here on undoes the commit.
    postCommit.add(new DecidedRows(plan.start(), commit, plan.rows(), true));
    return commit;
  }

  /** Puts all tentative cells. */
  private void writeAll() {
    List<RowMutation> pending = plan.mutations();
    Backoff backoff = around.storeBackoff();
    for (int attempt = 1; !pending.isEmpty() && already == 0; attempt++) {
      CommitFailures.stopIfInterrupted(plan.start());
      List<RowMutation> open = new ArrayList<>(0);
      Outcome<?> failure = write(pending, open);
      if (failure != null
          && (!CommitFailures.worthRetrying(failure)
              || attempt == around.storeAttempts()
              || !backoff.pause())) {
        throw CommitFailures.notCommitted(plan.start(), failure);
      }
      pending = open;
    }
  }

  /**
   * Sends the tentative cells in one trip.
   *
   * @param open takes the mutations that were not written
   * @return why a mutation was not written; null when all were
   */
  private @Nullable Outcome<?> write(List<RowMutation> pending, List<RowMutation> open) {
    List<WriteTentative.Request> requests = new ArrayList<>(pending.size());
    String owner = around.seams().liveness().token();
    long wallMillis = around.seams().wallMillis();
    for (RowMutation mutation : pending) {
      Bytes entry = mutation.weak().isEmpty() ? Bytes.EMPTY : plan.decision().key();
      requests.add(new WriteTentative.Request(mutation, plan.start(), owner, wallMillis, entry));
    }
    List<Outcome<OmidAnswer>> outcomes =
        around.trips().execute(WriteTentative.INSTANCE, requests, around.beforeCommit());
    Outcome<?> failure = null;
    List<Conflict> conflicts = new ArrayList<>(0);
    for (int i = 0; i < pending.size(); i++) {
      if (!(outcomes.get(i) instanceof Outcome.Done<OmidAnswer> done)) {
        failure = outcomes.get(i);
        open.add(pending.get(i));
      } else if (done.result() instanceof OmidAnswer.Colliding colliding) {
        for (OmidAnswer.Collision each : colliding.collisions()) {
          if (each.tentative()) {
            around.loads().clear(each.row(), each.other());
          }
          conflicts.add(conflict(each));
        }
      } else if (done.result() instanceof OmidAnswer.Refused refused) {
        throw plan.refused(refused.refusal(), around.tables());
      } else if (done.result() instanceof OmidAnswer.Committed committed) {
        already = committed.commit();
        return null;
      }
    }
    if (!conflicts.isEmpty()) {
      throw new ConflictException(conflicts);
    }
    return failure;
  }

  /** Asks the manager and returns the commit timestamp. */
  private long grant() {
    WriteSet writes = plan.writeSet(unchecked);
    switch (ask(writes)) {
      case GRANTED:
        return writes.commit();
      case CONFLICT:
        throw new ConflictException(conflicts(writes));
      case FENCED:
        throw new ConflictException(plan.conflicts("", Cause.FENCED, plan.start()));
      default:
        throw new ConflictException(plan.conflicts("", Cause.FORGOTTEN, plan.start()));
    }
  }

  private Verdict ask(WriteSet writes) {
    try {
      return around.manager().commit(writes);
    } catch (RuntimeException e) {
      if (around.manager().writesEntries()) {
        // The failed call may have written the entry.
        proposed = true;
        lost = e.toString();
      }
      throw e;
    }
  }

  private List<Conflict> conflicts(WriteSet writes) {
    List<Conflict> conflicts = new ArrayList<>();
    plan.forEachCell(
        new BiConsumer<>() {
          private int index;

          @Override
          public void accept(Row row, ColumnName column) {
            long newer = unchecked.test(row.table(), column) ? 0 : writes.newer(index++);
            if (newer != 0) {
              conflicts.add(new Conflict(row, column, Cause.NEWER_COMMIT, newer));
            }
          }
        });
    return conflicts;
  }

  static Conflict conflict(OmidAnswer.Collision collision) {
    Cause cause = collision.tentative() ? Cause.LOCKED : Cause.NEWER_COMMIT;
    return new Conflict(collision.row(), collision.column(), cause, collision.other());
  }

  /** Proposes the commit: the commit point. */
  private long propose(long commit) {
    if (around.manager().writesEntries()) {
      return commit;
    }
    Backoff backoff = around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      Outcome<Long> outcome = commits.commit(plan.start(), commit);
      if (outcome instanceof Outcome.Done<Long> done) {
        if (done.result() == CommitEntries.INVALID) {
          throw invalidated();
        }
        if (done.result() == CommitEntries.FORGOTTEN) {
          throw new CommitOutcomeUnknownException(
              plan.id(), "it took so long that its entry may have come and gone");
        }
        return done.result();
      }
      if (outcome instanceof Outcome.Unknown<Long>) {
        proposed = true;
        lost = outcome.toString();
      }
      if (!CommitFailures.worthRetrying(outcome)
          || attempt == around.storeAttempts()
          || !backoff.pause()) {
        throw CommitFailures.notCommitted(plan.start(), outcome);
      }
    }
  }

  /** Throws the failure, unless the entry says that the transaction has committed. */
  private long abort(RuntimeException failure) {
    if (proposed) {
      Long stands = decideOwn();
      if (stands == null || stands == CommitEntries.FORGOTTEN) {
        throw new CommitOutcomeUnknownException(plan.id(), lost);
      }
      if (stands != CommitEntries.INVALID) {
        return stands;
      }
    }
    postCommit.work(
        List.of(new DecidedRows(plan.start(), CommitEntries.INVALID, plan.rows(), false)));
    throw failure;
  }

  /** Proposes the end of this transaction; returns null when the store does not answer. */
  private @Nullable Long decideOwn() {
    return around
        .storeRetries()
        .firstAnswer(() -> commits.end(List.of(plan.start())).get(plan.start()));
  }

  /** Returns the error for a transaction that a reader invalidated because it could not wait. */
  private ConflictException invalidated() {
    return new ConflictException(plan.conflicts("", Cause.ROLLED_BACK, plan.start()));
  }
}
