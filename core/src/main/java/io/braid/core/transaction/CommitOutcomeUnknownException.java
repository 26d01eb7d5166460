package io.braid.core.transaction;

/**
 * The answer to the commit was lost: it may have committed or not. Ask {@link Transactions#outcome}
 * with {@link #id}; do not just run it again.
 */
public class CommitOutcomeUnknownException extends TransactionException {
  private final transient TransactionId id;

  public CommitOutcomeUnknownException(TransactionId id, String detail) {
    super(
        "Whether transaction " + id + " committed is unknown: ask for its outcome. " + detail,
        null);
    this.id = id;
  }

  /** What to ask {@link Transactions#outcome} with; {@code braid outcome} takes it as text. */
  public TransactionId id() {
    return id;
  }
}
