package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import java.util.random.RandomGenerator;

/**
 * All kinds of trouble at once, as chance has it, each for one in so many calls: refusals, lost
 * calls and answers, late ones, resends, splits, reordered batches, stale tablet lists. Delays are
 * left to {@link DelayingStore}, which needs seams.
 */
public final class Hostility extends ForwardingStore {
  private final LateStore late;
  private final ResendingStore resending;

  private Hostility(CellStore outermost, LateStore late, ResendingStore resending) {
    super(outermost);
    this.late = late;
    this.resending = resending;
  }

  /**
   * @param oneIn how rare each kind of trouble is
   * @param splits how many tablets are split at most
   */
  public static Hostility around(CellStore store, RandomGenerator random, int oneIn, int splits) {
    Strike rarely = Strike.oneIn(oneIn, random);
    Strike often = Strike.oneIn(4, random);
    CellStore split = new SplittingStore(store, rarely.atMost(splits));
    ResendingStore resending = new ResendingStore(split, rarely, often);
    LateStore late = new LateStore(resending, rarely, often);
    CellStore lossy = new LostAnswerStore(new LostCallStore(late, rarely), rarely);
    CellStore stale = new StaleTabletsStore(new RefusingStore(lossy, rarely), often);
    return new Hostility(new ReorderingStore(stale, random), late, resending);
  }

  /** Lets everything arrive that is late or was sent again. */
  public void deliverAll() {
    late.deliverAll();
    resending.deliverAll();
  }
}
