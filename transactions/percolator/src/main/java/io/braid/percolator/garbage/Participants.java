package io.braid.percolator.garbage;

import io.braid.core.data.Row;
import io.braid.core.transaction.Transactions.Pin;
import io.braid.percolator.rows.ForeignIntent;
import java.util.List;

/** What a collection asks of the transactions of its process. */
public interface Participants {
  /**
   * The lowest timestamp that is read in this process, or may come to be by what has begun already;
   * the highest of all when none is.
   */
  long lowestActive();

  /** The named snapshots that are kept. */
  List<Pin> pins();

  /**
   * Rolls forward or back what was met of transactions that are decided, or whose owners are dead
   * or stuck.
   *
   * @return the lowest start timestamp of those that remain as they are; the highest of all when
   *     none does
   */
  long settle(List<Unsettled> met);

  /**
   * The epoch of a table.
   *
   * @param fresh whether what was known of it has turned out to be old
   */
  long epoch(String table, boolean fresh);

  /**
   * What stands of a transaction that may not be decided yet.
   *
   * @param weak whether it is a weak notification that waits for the decision
   */
  record Unsettled(Row row, ForeignIntent intent, boolean weak) {}
}
