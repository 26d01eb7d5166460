package io.braid.simulation.planted;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.percolator.rows.PercolatorAnswer;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.ResolvePrimary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes every lock of others that it meets for one of a transaction that was rolled back. */
final class CarelessCleanupStore extends ForwardingStore {
  private final Set<Long> own = new HashSet<>();

  CarelessCleanupStore(CellStore store) {
    super(store);
  }

  @Override
  @SuppressWarnings("unchecked") // an answer for an answer
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    List<Outcome<R>> honest = store.execute(procedure, arguments, durability);
    List<Outcome<R>> told = new ArrayList<>();
    for (int i = 0; i < honest.size(); i++) {
      if (arguments.get(i) instanceof Prewrite.Request prewrite) {
        own.add(prewrite.start());
      }
      boolean committed =
          honest.get(i) instanceof Outcome.Done<R> done
              && done.result() instanceof PercolatorAnswer.Committed;
      boolean lies =
          committed
              && arguments.get(i) instanceof ResolvePrimary.Request question
              && !own.contains(question.start());
      told.add(lies ? (Outcome<R>) Outcome.done(PercolatorAnswer.ROLLED_BACK) : honest.get(i));
    }
    return told;
  }
}
