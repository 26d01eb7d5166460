package io.braid.percolator;

import io.braid.core.protocol.Backoff;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Outcome;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.commit.Committer;
import io.braid.percolator.commit.PlanWithPrimary;
import io.braid.percolator.rows.PercolatorAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commits several transactions. The first calls of those that commit in one phase share a trip.
 * After it, each of these goes on by itself. All others commit by themselves.
 */
final class CommitAll {
  private final Committer committer;
  private final ChangeSink sink;

  CommitAll(Committer committer, ChangeSink sink) {
    this.committer = committer;
    this.sink = sink;
  }

  List<CommitResult> commit(List<? extends Transaction> all) {
    List<Open> open = new ArrayList<>(all.size());
    all.forEach(tx -> open.add(new Open((PercolatorTransaction) tx)));
    Map<Open, Outcome<PercolatorAnswer>> first = sendTogether(open);
    List<CommitResult> results = new ArrayList<>(all.size());
    open.forEach(each -> results.add(each.end(first.get(each))));
    return results;
  }

  private Map<Open, Outcome<PercolatorAnswer>> sendTogether(List<Open> open) {
    List<Open> sent = new ArrayList<>(open.size());
    List<PlanWithPrimary> plans = new ArrayList<>(open.size());
    Map<Open, Outcome<PercolatorAnswer>> first = new HashMap<>();
    try {
      for (Open each : open) {
        PlanWithPrimary plan = each.plan;
        if (plan != null && committer.goesInOnePhase(plan)) {
          sent.add(each);
          plans.add(plan);
        }
      }
      if (plans.size() < 2 || Backoff.interrupted()) {
        return Map.of();
      }
      List<Outcome<PercolatorAnswer>> outcomes = committer.sendTogether(plans);
      for (int i = 0; i < sent.size(); i++) {
        first.put(sent.get(i), outcomes.get(i));
      }
    } catch (UnknownTableException | DamagedCellException e) {
      // One of the transactions is the cause. Each then commits by itself and gets its own error.
      // Commits that are already done are found to be done.
      return Map.of();
    }
    return first;
  }

  /** A transaction that has not ended yet, unless making its plan has ended it. */
  private final class Open {
    private final PercolatorTransaction tx;
    private final @Nullable PlanWithPrimary plan;
    private final @Nullable CommitResult refused;

    Open(PercolatorTransaction tx) {
      this.tx = tx;
      PlanWithPrimary made = null;
      CommitResult failed = null;
      try {
        made = tx.plan();
      } catch (RuntimeException e) {
        failed = new CommitResult.Failed(e);
      }
      plan = made;
      refused = failed;
    }

    private CommitResult end(@Nullable Outcome<PercolatorAnswer> first) {
      PlanWithPrimary wanted = plan;
      if (refused != null) {
        return refused;
      } else if (wanted == null) {
        return CommitResult.of(tx::commit);
      }
      CommitResult result = CommitResult.of(() -> committer.commit(wanted, first, sink));
      tx.committed(result);
      return result;
    }
  }
}
