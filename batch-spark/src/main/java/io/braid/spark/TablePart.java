package io.braid.spark;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/** A range of a table at a snapshot, for one task. */
record TablePart(byte[] start, byte @Nullable [] end, long snapshot, String server)
    implements InputPartition {
  KeyRange range() {
    return new KeyRange(Bytes.wrap(start), end == null ? null : Bytes.wrap(end));
  }

  @Override
  public String[] preferredLocations() {
    return server.isEmpty() ? new String[0] : new String[] {server.replaceAll("[:,].*", "")};
  }
}
