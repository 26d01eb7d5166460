package io.braid.percolator;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * The traces of a transaction in the store, for people.
 *
 * @param decision its primary, if it is known
 * @param commit its commit timestamp, if it has committed and the primary still shows that
 * @param owner the owner that claims to work on it, while it is undecided
 * @param cells its intents, rollback marks and notifications, in all tables; the first of them
 * @param more whether there may be more cells
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record TransactionTraces(
    long start,
    State state,
    Optional<DecisionPoint> decision,
    OptionalLong commit,
    Optional<Owner> owner,
    List<Trace> cells,
    boolean more) {
  /** How many cells are listed at most. */
  static final int MOST_CELLS = 1000;

  public TransactionTraces {
    cells = List.copyOf(cells);
  }

  /** The state according to the primary. */
  public enum State {
    COMMITTED,
    ROLLED_BACK,
    UNDECIDED,
    /** There are no traces: too old, never prewritten, or rolled back without a mark. */
    UNKNOWN
  }

  /**
   * The owner of an undecided transaction.
   *
   * @param ageMillis how long ago it last said that it works on it, by the clock of this process
   */
  public record Owner(String token, boolean alive, long ageMillis) {}

  /**
   * A cell of the transaction that is no commit record.
   *
   * @param column the user's column to which the cell belongs
   * @param kind in words
   */
  public record Trace(Row row, ColumnName column, String kind) {}
}
