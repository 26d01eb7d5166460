package io.braid.store.hbase.wire;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * A filter that finds nothing. A region server that can make it has Braid's jars, of a release that
 * speaks the same: one that cannot refuses the read that carries it, and goes on. That is how a
 * client looks before it creates a table, for a server that lacks a table's coprocessor stops.
 */
public final class ReleaseProbe extends FilterBase {
  @Override
  public byte[] toByteArray() {
    return new byte[] {Call.VERSION};
  }

  /** As HBase calls it on the server. */
  public static ReleaseProbe parseFrom(byte[] bytes) throws DeserializationException {
    if (bytes.length != 1 || bytes[0] != Call.VERSION) {
      throw new DeserializationException(
          "This region server speaks version " + Call.VERSION + " of Braid's protocol.");
    }
    return new ReleaseProbe();
  }

  @Override
  public boolean filterAllRemaining() {
    return true;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    return ReturnCode.NEXT_ROW;
  }
}
