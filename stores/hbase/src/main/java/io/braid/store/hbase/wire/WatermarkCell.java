package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * The cell that holds the low watermark of a namespace, in a small table. The same table holds the
 * epochs of the tables. All these numbers only rise.
 *
 * <p>Region servers keep a reading for at most {@link #LEASE}. They run nothing that asks for the
 * watermark on an older reading. A process that raises the watermark writes the cell, then waits
 * that long.
 */
public final class WatermarkCell {
  public static final byte[] FAMILY = "w".getBytes(StandardCharsets.US_ASCII);
  public static final byte[] ROW = "watermark".getBytes(StandardCharsets.US_ASCII);

  /** The horizon that collections have settled; see {@code CellStore.settled}. */
  public static final byte[] SETTLED = "settled".getBytes(StandardCharsets.US_ASCII);

  public static final byte[] QUALIFIER = "at".getBytes(StandardCharsets.US_ASCII);

  /** How long a reading may be used. */
  public static final Duration LEASE = Duration.ofSeconds(3);

  /** The age at which a reading is repeated. */
  public static final Duration REFRESH = Duration.ofSeconds(1);

  private WatermarkCell() {}

  public static TableName table(String namespace) {
    return TableName.valueOf(namespace, "watermark");
  }

  public static Get get() {
    return get(ROW);
  }

  public static Get get(byte[] row) {
    return new Get(row).addColumn(FAMILY, QUALIFIER);
  }

  /** The row of the epoch that a table is being raised to. */
  public static byte[] epoch(String tableId) {
    return ("epoch/" + tableId).getBytes(StandardCharsets.UTF_8);
  }

  /** The row of the epoch under which all regions of a table work. */
  public static byte[] installedEpoch(String tableId) {
    return ("installed/" + tableId).getBytes(StandardCharsets.UTF_8);
  }

  /** The row of the birth of a table: one more than that is, as 0 says that it is yet to come. */
  public static byte[] birth(String tableId) {
    return ("birth/" + tableId).getBytes(StandardCharsets.UTF_8);
  }

  /** A row, for people to read. */
  public static String text(byte[] row) {
    return new String(row, StandardCharsets.UTF_8);
  }

  public static long value(Result result) {
    byte[] stored = result.getValue(FAMILY, QUALIFIER);
    return stored == null ? 0 : Bytes.wrap(stored).longAt(0);
  }

  public static byte[] encode(long watermark) {
    return Bytes.ofLong(watermark).toArray();
  }
}
