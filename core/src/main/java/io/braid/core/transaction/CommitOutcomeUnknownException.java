package io.braid.core.transaction;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The answer to the commit was lost, and the store could not be asked any more: the transaction may
 * have committed or not. Ask {@link Transactions#outcome Transactions.outcome} with {@link #id},
 * which decides an undecided transaction. Do not just run the transaction again.
 */
@API(status = API.Status.STABLE)
public class CommitOutcomeUnknownException extends TransactionException {
  private final transient TransactionId id;

  public CommitOutcomeUnknownException(TransactionId id, String detail) {
    super(
        ErrorCode.OUTCOME_UNKNOWN,
        "Whether transaction " + id + " committed is unknown: ask for its outcome. " + detail,
        null);
    this.id = id;
  }

  /**
   * Returns the id for {@link Transactions#outcome Transactions.outcome}, in this process or
   * another; {@code braid outcome} takes it as text. Not kept when the exception is serialized.
   */
  public TransactionId id() {
    return id;
  }
}
