package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.store.Veils.Veil;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The record of a veil in the namespace's small table. Only this record decides whether, and at
 * which version, the cells of the veil are shown. It changes by test-and-set only.
 *
 * @param attempt how often a lift was begun; rises with each
 * @param closing whether a lift is under way. Until the lift has ended, regions of the table that
 *     know of it write nothing, and answer no reader that may have to see the cells
 */
public record VeilRecord(Veil veil, long attempt, boolean closing) {
  public static final byte[] QUALIFIER = "veil".getBytes(StandardCharsets.US_ASCII);

  private static final int VERSION = 1;

  public static VeilRecord down(long version, boolean wins) {
    return new VeilRecord(new Veil(version, Long.MAX_VALUE, wins), 0, false);
  }

  /** With a lift begun. */
  public VeilRecord close() {
    return new VeilRecord(veil, attempt + 1, true);
  }

  /** With its lift given up. */
  public VeilRecord reopen() {
    return new VeilRecord(veil, attempt, false);
  }

  /**
   * @param commit where its cells are shown; 0: nowhere, ever
   */
  public VeilRecord at(long commit) {
    return new VeilRecord(new Veil(veil.version(), commit, veil.wins()), attempt, false);
  }

  /** The row of a veil; those of a table follow each other. */
  public static byte[] row(String tableId, long version) {
    return (prefix(tableId) + String.format("%016x", version)).getBytes(StandardCharsets.UTF_8);
  }

  private static String prefix(String tableId) {
    return "veil/" + tableId + "/";
  }

  public static Get get(byte[] row) {
    return new Get(row).addColumn(WatermarkCell.FAMILY, QUALIFIER);
  }

  /** All veils of a table. */
  public static Scan scan(String tableId) {
    return new Scan()
        .setStartStopRowForPrefixScan(prefix(tableId).getBytes(StandardCharsets.UTF_8))
        .addColumn(WatermarkCell.FAMILY, QUALIFIER);
  }

  /** Null when there is none. */
  public static @Nullable VeilRecord of(Result result) {
    byte[] stored = result.getValue(WatermarkCell.FAMILY, QUALIFIER);
    return stored == null ? null : decode(Bytes.wrap(stored));
  }

  public Put put(byte[] row) {
    return new Put(row.clone()).addColumn(WatermarkCell.FAMILY, QUALIFIER, encode());
  }

  public byte[] encode() {
    return new Encoder(40)
        .u8(VERSION)
        .int64(veil.version())
        .int64(veil.commit())
        .bool(veil.wins())
        .int64(attempt)
        .bool(closing)
        .finish()
        .toArray();
  }

  private static VeilRecord decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int version = from.u8();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "A veil is written in version " + version + ", which another release of Braid knows.");
    }
    Veil veil = new Veil(from.int64(), from.int64(), from.bool());
    VeilRecord record = new VeilRecord(veil, from.int64(), from.bool());
    from.end();
    return record;
  }
}
