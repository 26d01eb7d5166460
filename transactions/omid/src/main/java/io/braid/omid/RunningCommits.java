package io.braid.omid;

import io.braid.core.cells.RowMutation;
import io.braid.core.data.ColumnName;
import io.braid.core.protocol.ChangeHints;
import io.braid.core.protocol.WeakCommit;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.omid.rows.NotifyWithEntry;
import io.braid.omid.rows.OmidAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/** Commits transactions, counts them, and knows which are on their way. */
final class RunningCommits {
  private final ProtocolContext around;
  private final CommitTable commits;
  private final PostCommitDuty postCommit;
  private volatile BiPredicate<String, ColumnName> unchecked = (table, column) -> false;
  private final Set<Long> committing = ConcurrentHashMap.newKeySet();

  RunningCommits(ProtocolContext around, CommitTable commits, PostCommitDuty postCommit) {
    this.around = around;
    this.commits = commits;
    this.postCommit = postCommit;
  }

  /** As {@link OmidTransactions#indexedBy}. */
  void leaveUnchecked(BiPredicate<String, ColumnName> cells) {
    unchecked = cells;
  }

  ProtocolContext around() {
    return around;
  }

  /** Commits, then passes the changes to the sink; returns the commit timestamp. */
  long commit(PlanWithEntry plan, ChangeSink sink) {
    committing.add(plan.start());
    try {
      long commit = dispatch(plan);
      around.counters().commits.increment();
      tell(plan, commit, sink);
      return commit;
    } catch (ConflictException e) {
      around.counters().conflicts.increment();
      throw e;
    } catch (CommitOutcomeUnknownException e) {
      around.counters().unknown.increment();
      throw e;
    } finally {
      committing.remove(plan.start());
    }
  }

  private long dispatch(PlanWithEntry plan) {
    if (plan.onlyNotifies()) {
      return new WeakCommit<OmidAnswer>(
              around.storeRetries(),
              mutations -> notifyWeakly(plan, mutations),
              answer ->
                  answer instanceof OmidAnswer.Refused refused
                      ? plan.refused(refused.refusal(), around.tables())
                      : null)
          .commit(plan.id(), plan.mutations());
    }
    return OnePhaseOrRegular.takes(around, plan)
        ? new OnePhaseOrRegular(around, plan).commit(() -> commitRegularly(plan))
        : commitRegularly(plan);
  }

  private List<Outcome<OmidAnswer>> notifyWeakly(PlanWithEntry plan, List<RowMutation> mutations) {
    List<NotifyWithEntry.Request> requests = new ArrayList<>(mutations.size());
    for (RowMutation mutation : mutations) {
      requests.add(new NotifyWithEntry.Request(mutation, plan.start(), plan.decision().key()));
    }
    return around.trips().execute(NotifyWithEntry.INSTANCE, requests, around.atCommit());
  }

  private long commitRegularly(PlanWithEntry plan) {
    return new RegularCommit(around, commits, postCommit, plan, unchecked).commit();
  }

  /** Whether this process is committing the transaction now. */
  boolean isCommitting(long start) {
    return committing.contains(start);
  }

  private static void tell(PlanWithEntry plan, long commit, ChangeSink sink) {
    ChangeHints.give(
        () -> plan.forEachChange((row, column) -> sink.changed(row, column, plan.start(), commit)));
  }
}
