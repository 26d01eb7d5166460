package io.braid.percolator.commit;

import io.braid.core.store.Outcome;
import io.braid.percolator.rows.Collision;
import io.braid.percolator.rows.PercolatorAnswer;

/**
 * The calls of one commit that may still arrive: stores lose answers, and resend. Decides how the
 * commit may end.
 */
final class LateCalls {
  private final boolean resends;
  private boolean prewrite;
  private String commit = "";

  /**
   * @param resends whether copies of calls that were answered may arrive
   */
  LateCalls(boolean resends) {
    this.resends = resends;
  }

  /** Records that an unanswered prewrite may still arrive. */
  void prewrite() {
    prewrite = true;
  }

  /** Records the outcome of a committing call that is not a commit. */
  void afterCommit(Outcome<PercolatorAnswer> outcome) {
    if (outcome instanceof Outcome.Unknown<PercolatorAnswer>) {
      commit = outcome.toString();
    } else if (outcome instanceof Outcome.Done<PercolatorAnswer> done) {
      PercolatorAnswer answer = done.result();
      if (isFinal(answer)) {
        commit = "";
      } else if (resends && !refusesForEver(answer)) {
        commit = answer.toString();
      }
    }
  }

  /** Whether no call has committed before this answer, and none will after it. */
  private static boolean isFinal(PercolatorAnswer answer) {
    return answer instanceof PercolatorAnswer.RolledBack
        || (answer instanceof PercolatorAnswer.Colliding colliding
            && colliding.collisions().stream().anyMatch(Collision::isFinal));
  }

  /** Whether no call will commit after this answer; one may have committed before. */
  private static boolean refusesForEver(PercolatorAnswer answer) {
    return answer instanceof PercolatorAnswer.Refused refused && refused.refusal().lasts();
  }

  boolean mayPrewrite() {
    return prewrite;
  }

  /** Whether a call may have committed the transaction, or may yet. */
  boolean mayCommit() {
    return !commit.isEmpty();
  }

  /** Returns the last reason why a call may commit. */
  String detail() {
    return commit;
  }
}
