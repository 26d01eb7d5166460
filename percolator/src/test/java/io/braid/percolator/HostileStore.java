package io.braid.percolator;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;

/**
 * A store that refuses calls, loses them, loses their answers, repeats them, and delivers lost ones
 * much later, as chance has it. Safe for many threads.
 */
final class HostileStore extends ForwardingStore {
  private final RandomGenerator random;
  private final double badness;
  private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();

  /**
   * @param random safe for many threads
   * @param badness the share of calls that something befalls
   */
  HostileStore(CellStore store, RandomGenerator random, double badness) {
    super(store);
    this.random = random;
    this.badness = badness;
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    List<Outcome<R>> outcomes = new ArrayList<>(arguments.size());
    for (A argument : arguments) {
      outcomes.add(suffer(() -> store.execute(procedure, argument, durability)));
    }
    deliverOne();
    return outcomes;
  }

  /** An item of a call. */
  private interface Item<R> {
    Outcome<R> run();
  }

  private <R> Outcome<R> suffer(Item<R> item) {
    if (random.nextDouble() >= badness) {
      return item.run();
    }
    switch (random.nextInt(5)) {
      case 0:
        return Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "away");
      case 1:
        return Outcome.unknown("lost");
      case 2:
        item.run();
        return Outcome.unknown("answer lost");
      case 3:
        late.add(item::run);
        return Outcome.unknown("late");
      default:
        item.run();
        return item.run();
    }
  }

  private void deliverOne() {
    Runnable call = random.nextInt(8) == 0 ? late.poll() : null;
    if (call != null) {
      call.run();
    }
  }

  /** Delivers everything that is late. */
  void deliverAll() {
    for (Runnable call = late.poll(); call != null; call = late.poll()) {
      call.run();
    }
  }
}
