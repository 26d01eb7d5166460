package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * Where the low watermark of a namespace stands: one cell of a small table that holds nothing else.
 *
 * <p>Region servers keep what they read for at most {@link #LEASE} and run nothing that asks for
 * the watermark on an older reading. Whoever raises it writes the cell, then waits that long.
 */
public final class WatermarkCell {
  public static final byte[] FAMILY = "w".getBytes(StandardCharsets.US_ASCII);
  public static final byte[] ROW = "watermark".getBytes(StandardCharsets.US_ASCII);
  public static final byte[] QUALIFIER = "at".getBytes(StandardCharsets.US_ASCII);

  /** How long a reading may be used. */
  public static final Duration LEASE = Duration.ofSeconds(3);

  /** How old a reading is when it is taken anew. */
  public static final Duration REFRESH = Duration.ofSeconds(1);

  private WatermarkCell() {}

  public static TableName table(String namespace) {
    return TableName.valueOf(namespace, "watermark");
  }

  public static Get get() {
    return new Get(ROW).addColumn(FAMILY, QUALIFIER);
  }

  public static long value(Result result) {
    byte[] stored = result.getValue(FAMILY, QUALIFIER);
    return stored == null ? 0 : Bytes.wrap(stored).longAt(0);
  }

  public static byte[] encode(long watermark) {
    return Bytes.ofLong(watermark).toArray();
  }
}
