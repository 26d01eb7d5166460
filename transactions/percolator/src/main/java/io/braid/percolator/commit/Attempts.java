package io.braid.percolator.commit;

import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.CommitFailures;
import io.braid.core.store.Outcome;
import io.braid.percolator.rows.Collision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts how often a step of a commit was tried again, and ends it when that is enough. */
final class Attempts {
  private static final int CLEARINGS = 4;

  private final CommitSteps steps;
  private final PlanWithPrimary plan;
  private @Nullable Backoff backoff;
  private int failures;
  private int clearings;

  Attempts(CommitSteps steps, PlanWithPrimary plan) {
    this.steps = steps;
    this.plan = plan;
  }

  /** As {@link CommitSteps#clearTheWay}, but only a few times. */
  boolean clearTheWay(List<Collision> collisions) {
    return clearings++ < CLEARINGS && steps.clearTheWay(collisions);
  }

  /**
   * Pauses before the next attempt at a call that the store did not execute or answer; throws when
   * there is to be none.
   */
  void pauseAfter(Outcome<?> failure) {
    if (!CommitFailures.worthRetrying(failure)
        || ++failures == steps.around.storeAttempts()
        || !pause()) {
      throw CommitFailures.notCommitted(plan.start(), failure);
    }
  }

  private boolean pause() {
    Backoff pauses = backoff == null ? steps.around.storeBackoff() : backoff;
    backoff = pauses;
    return pauses.pause();
  }
}
