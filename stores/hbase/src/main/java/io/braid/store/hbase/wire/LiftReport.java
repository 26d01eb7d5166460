package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * The answer of a region to {@link Call.Veils}.
 *
 * @param reached a version at or above all versions that the region has drawn and all snapshots
 *     that it has served; anything above it waits for the end of the lift. Negative when the region
 *     does not know of the lift
 * @param start the first key of the region, as HBase has it
 * @param end the first key beyond the region; empty when the region is the last one
 */
public record LiftReport(long reached, Bytes start, Bytes end) {
  public Bytes encode() {
    return new Encoder(64).int64(reached).bytes(start).bytes(end).finish();
  }

  public static LiftReport decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    LiftReport told = new LiftReport(from.int64(), from.bytes(), from.bytes());
    from.end();
    return told;
  }

  public boolean holds(byte[] key) {
    Bytes at = Bytes.wrap(key);
    return start.compareTo(at) <= 0 && (end.isEmpty() || at.compareTo(end) < 0);
  }
}
