package io.braid.testkit.hostile;

import io.braid.core.store.StoreException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Calls that still wander about after their callers have gone on. Safe for many threads. */
final class LateCalls {
  private final List<Call<?>> wandering = new ArrayList<>();

  synchronized void add(Call<?> call) {
    wandering.add(call);
  }

  synchronized int count() {
    return wandering.size();
  }

  /** Delivers those that the strike says, in their order. */
  void deliver(Strike strike) {
    due(strike).forEach(LateCalls::deliver);
  }

  private synchronized List<Call<?>> due(Strike strike) {
    List<Call<?>> due = new ArrayList<>();
    for (Iterator<Call<?>> calls = wandering.iterator(); calls.hasNext(); ) {
      Call<?> call = calls.next();
      if (strike.strikes(call.name())) {
        due.add(call);
        calls.remove();
      }
    }
    return due;
  }

  private static void deliver(Call<?> call) {
    try {
      call.run();
    } catch (StoreException e) {
      // The table or the store has gone meanwhile, and no caller waits for the answer.
    }
  }
}
