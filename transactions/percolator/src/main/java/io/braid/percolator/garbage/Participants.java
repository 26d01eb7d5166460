package io.braid.percolator.garbage;

import io.braid.core.data.Row;
import io.braid.core.transaction.Transactions.Pin;
import io.braid.percolator.rows.ForeignIntent;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The transactions of a collection's process, as the collection sees them.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface Participants {
  /**
   * Returns the lowest timestamp that is read in this process, or that running transactions may
   * come to read; the highest of all if there is none.
   */
  long lowestActive();

  /** The named snapshots that are kept. */
  List<Pin> pins();

  /**
   * Rolls forward or back the cells of transactions that are decided, or whose owners are dead or
   * stuck.
   *
   * @return the lowest start timestamp of those that remain as they are; the highest of all if none
   *     remains
   */
  long settle(List<Unsettled> met);

  /**
   * Returns the epoch of a table.
   *
   * @param fresh whether the known epoch has turned out to be old
   */
  long epoch(String table, boolean fresh);

  /**
   * A cell of a transaction that may not be decided yet.
   *
   * @param weak whether it is a weak notification that waits for the decision
   */
  record Unsettled(Row row, ForeignIntent intent, boolean weak) {}
}
