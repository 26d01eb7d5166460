package io.braid.omid;

import io.braid.core.data.ColumnName;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits transactions, counts them, and knows which are on their way. */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  private final Surroundings around;
  private final CommitTable commits;
  private final PostCommitDuty postCommit;
  private volatile BiPredicate<String, ColumnName> unchecked = (table, column) -> false;
  private final Set<Long> committing = ConcurrentHashMap.newKeySet();

  Committer(Surroundings around, CommitTable commits, PostCommitDuty postCommit) {
    this.around = around;
    this.commits = commits;
    this.postCommit = postCommit;
  }

  /** As {@link OmidTransactions#indexedBy}. */
  void leaveUnchecked(BiPredicate<String, ColumnName> cells) {
    unchecked = cells;
  }

  Surroundings around() {
    return around;
  }

  /** Commits, then passes the changes to the sink; returns the commit timestamp. */
  long commit(CommitPlan plan, ChangeSink sink) {
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

  private long dispatch(CommitPlan plan) {
    if (plan.onlyNotifies()) {
      return new OnlyNotify(around, plan).commit();
    }
    return OnePhase.takes(around, plan)
        ? new OnePhase(around, plan).commit(() -> commitRegularly(plan))
        : commitRegularly(plan);
  }

  private long commitRegularly(CommitPlan plan) {
    return new CommitSteps(around, commits, postCommit, plan, unchecked).commit();
  }

  /** Whether this process is committing the transaction now. */
  boolean isCommitting(long start) {
    return committing.contains(start);
  }

  private static void tell(CommitPlan plan, long commit, ChangeSink sink) {
    try {
      plan.forEachChange((row, column) -> sink.changed(row, column, plan.start(), commit));
    } catch (RuntimeException e) {
      LOG.warn("A hint to observers was lost; they will find the change by scanning.", e);
    }
  }
}
