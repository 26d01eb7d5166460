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
   * Where a task for a tablet best runs. A name by which Spark knows no executor is worse than
   * none: the task waits for one first, and in local mode for ever, since nothing wakes Spark's
   * scheduler up there when the wait is over.
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
