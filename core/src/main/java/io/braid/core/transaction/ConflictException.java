package io.braid.core.transaction;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Other transactions were first on some cells. The transaction is rolled back and none of its
 * writes remain; run it again from its beginning. {@link Transactions#run Transactions.run} does
 * that by itself, and throws this when it has given up.
 */
@API(status = API.Status.STABLE)
public class ConflictException extends TransactionException {
  private final transient List<Conflict> conflicts;

  /**
   * A cell that kept a transaction from committing.
   *
   * @param otherTimestamp its meaning depends on the {@code cause}
   */
  public record Conflict(Row row, ColumnName column, Cause cause, long otherTimestamp) {
    @Override
    public String toString() {
      return row + "/" + column + " " + cause.text + " " + otherTimestamp;
    }
  }

  /** Why the transaction could not commit, and the meaning of the number beside it. */
  public enum Cause {
    /** It committed after this one began; the timestamp is its commit. */
    NEWER_COMMIT("committed at"),
    /** It is writing the cell; the timestamp is its start. */
    LOCKED("locked by the transaction begun at"),
    /** This transaction was taken for dead and rolled back; the timestamp is its own start. */
    ROLLED_BACK("rolled back, begun at"),
    /** The table got a new epoch after this transaction began; the number is that epoch. */
    NEW_EPOCH("in a table that changed under epoch"),
    /** A fence was set on the table after this transaction began; the timestamp is its start. */
    FENCED("in a table that was fenced, begun at"),
    /**
     * The transaction manager no longer remembers all commits since the begin of this transaction;
     * the timestamp is its own start.
     */
    FORGOTTEN("perhaps written by a commit that the manager had to forget, begun at");

    private final String text;

    Cause(String text) {
      this.text = text;
    }
  }

  public ConflictException(List<Conflict> conflicts) {
    super(ErrorCode.CONFLICT, "Others were first; run the transaction again. " + conflicts, null);
    this.conflicts = List.copyOf(conflicts);
  }

  /**
   * Every colliding cell that was found; none where a server rolled the transaction back since
   * others before it had filled the memory for open ones.
   */
  public List<Conflict> conflicts() {
    return conflicts;
  }
}
