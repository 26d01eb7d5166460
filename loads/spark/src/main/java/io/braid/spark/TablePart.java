package io.braid.spark;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * A range of a table at a snapshot, for one task.
 *
 * @param host where it best runs; empty: anywhere
 */
record TablePart(byte[] start, byte @Nullable [] end, long snapshot, String host)
    implements InputPartition {
  KeyRange range() {
    return new KeyRange(Bytes.wrap(start), end == null ? null : Bytes.wrap(end));
  }

  /**
   * Returns the best host for a task of a tablet. A name by which Spark knows no executor is worse
   * than no name. The task first waits for such an executor. In local mode it waits for ever, since
   * nothing wakes Spark's scheduler when the wait is over.
   *
   * @param server as the store names it, {@code HOST:PORT} or {@code HOST,PORT,START}
   * @param local whether Spark runs in this process alone
   */
  static String host(String server, boolean local) {
    String host = server.replaceAll("[:,].*", "");
    return local || host.equals("localhost") ? "" : host;
  }

  @Override
  public String[] preferredLocations() {
    return host.isEmpty() ? new String[0] : new String[] {host};
  }
}
