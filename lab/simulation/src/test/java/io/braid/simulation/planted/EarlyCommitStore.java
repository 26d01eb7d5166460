package io.braid.simulation.planted;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.time.TimestampOracle;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.Prewrite;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Draws the commit timestamp before the prewrite instead of after it. */
final class EarlyCommitStore extends ForwardingStore {
  private final TimestampOracle oracle;
  private final Map<Long, Long> commits = new HashMap<>();

  EarlyCommitStore(CellStore store, TimestampOracle oracle) {
    super(store);
    this.oracle = oracle;
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    for (A argument : arguments) {
      if (argument instanceof Prewrite.Request prewrite && !commits.containsKey(prewrite.start())) {
        commits.put(prewrite.start(), oracle.next());
      }
    }
    return store.execute(procedure, arguments.stream().map(this::early).toList(), durability);
  }

  @SuppressWarnings("unchecked") // a request for a request
  private <A> A early(A argument) {
    return argument instanceof CommitPrimary.Request commit
        ? (A)
            new CommitPrimary.Request(
                commit.primary(),
                commit.epoch(),
                commit.start(),
                commits.getOrDefault(commit.start(), commit.commit()),
                commit.weak())
        : argument;
  }
}
