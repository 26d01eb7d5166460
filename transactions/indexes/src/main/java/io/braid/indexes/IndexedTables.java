package io.braid.indexes;

import io.braid.core.transaction.Snapshot;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The database around the indexes: what a change of an index needs of tables and transactions.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface IndexedTables {

  /**
   * A fence that is set.
   *
   * @param epoch of the table from it on
   * @param timestamp above all that was committed before it
   */
  record Fence(long epoch, long timestamp) {}

  /**
   * Sets a fence (Omid, section 6.1). Transactions that began before it and write the table abort.
   *
   * @param begun receives a timestamp before the transactions begun by then are ended: later
   *     transactions commit above it
   * @throws RuntimeException when an atomic load into the table is open
   */
  Fence fence(String table, LongConsumer begun);

  /** Sets a fence. */
  default Fence fence(String table) {
    return fence(table, settled -> {});
  }

  /**
   * Raises the epoch of a table. Writes without transactions under the previous epoch are refused.
   *
   * @return the new epoch
   */
  long raiseEpoch(String table);

  /** Makes transactions that begin from now on know the current epoch of a table. */
  void learn(String table);

  /** Reads again how tables are bound to protocols. */
  void lookAgain();

  /** Binds the table of a new index to the protocol of its table. */
  void bindLike(String index, String table);

  /** Removes the table of an index while new writers wait. */
  void removeTable(String index);

  /** Does work while no other caller, in any process, changes the table. */
  <R> R holding(String table, Supplier<R> work);

  /**
   * Returns a snapshot at a fence. The fence may come from the database that this one was restored
   * from.
   */
  Snapshot fenced(long timestamp);

  /**
   * Collects the garbage of a table.
   *
   * @return the watermark; empty when another collection runs
   */
  OptionalLong collect(String table, Duration keep);

  /**
   * Refuses a change of a table while an atomic load into it is open.
   *
   * @throws RuntimeException that names the loads
   */
  void requireNoLoad(String table);

  /**
   * Refuses a change of a table of which key groups hold rows.
   *
   * @throws io.braid.core.transaction.TransactionException that names the groups
   */
  void requireNoGroups(String table);
}
