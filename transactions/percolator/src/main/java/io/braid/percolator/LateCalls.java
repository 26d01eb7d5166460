package io.braid.percolator;

import io.braid.core.store.Outcome;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.Collision;

/**
 * What may still arrive of the calls of one commit: stores lose answers, and resend. Decides how
 * the commit may end.
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

  /** A prewrite may yet arrive that was not answered. */
  void prewrite() {
    prewrite = true;
  }

  /** A call that commits came back with this instead of a commit. */
  void afterCommit(Outcome<Answer> outcome) {
    if (outcome instanceof Outcome.Unknown<Answer>) {
      commit = outcome.toString();
    } else if (outcome instanceof Outcome.Done<Answer> done) {
      Answer answer = done.result();
      if (isFinal(answer)) {
        commit = "";
      } else if (resends && !refusesForEver(answer)) {
        commit = answer.toString();
      }
    }
  }

  /** No call has committed before this answer, and none will after it. */
  private static boolean isFinal(Answer answer) {
    return answer instanceof Answer.RolledBack
        || (answer instanceof Answer.Colliding colliding
            && colliding.collisions().stream().anyMatch(Collision::isFinal));
  }

  /** No call will commit after this answer; one may have before. */
  private static boolean refusesForEver(Answer answer) {
    return answer instanceof Answer.Refused refused && refused.refusal().lasts();
  }

  boolean mayPrewrite() {
    return prewrite;
  }

  /** A call may have committed the transaction, or may yet. */
  boolean mayCommit() {
    return !commit.isEmpty();
  }

  /** The last reason why that is so. */
  String detail() {
    return commit;
  }
}
