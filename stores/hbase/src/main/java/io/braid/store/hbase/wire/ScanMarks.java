package io.braid.store.hbase.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/** The attributes that Braid adds to a scan of HBase: the snapshot, and the id of the table. */
public record ScanMarks(long snapshot, String tableId) {
  private static final String SNAPSHOT = "braid.snapshot";
  private static final String TABLE = "braid.table";

  public void applyTo(Scan scan) {
    scan.setAttribute(SNAPSHOT, ByteBuffer.allocate(Long.BYTES).putLong(snapshot).array());
    scan.setAttribute(TABLE, tableId.getBytes(StandardCharsets.UTF_8));
  }

  /** Null for a scan that is none of Braid's. */
  public static @Nullable ScanMarks of(Scan scan) {
    byte[] snapshot = scan.getAttribute(SNAPSHOT);
    byte[] table = scan.getAttribute(TABLE);
    if (snapshot == null || table == null) {
      return null;
    }
    return new ScanMarks(
        ByteBuffer.wrap(snapshot).getLong(), new String(table, StandardCharsets.UTF_8));
  }
}
