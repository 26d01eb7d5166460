package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * What a region answers to {@link Call.Veils}.
 *
 * @param reached a version at or above all that it has drawn and all snapshots that it has served;
 *     what lies above it waits for the end of the lift. Negative when it does not know of the lift
 * @param start the first key of the region, as HBase has it
 * @param end the first key beyond it; none when it is the last
 */
public record Told(long reached, Bytes start, Bytes end) {
  public Bytes encode() {
    return new Encoder(64).int64(reached).bytes(start).bytes(end).finish();
  }

  public static Told decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    Told told = new Told(from.int64(), from.bytes(), from.bytes());
    from.end();
    return told;
  }

  public boolean holds(byte[] key) {
    Bytes at = Bytes.wrap(key);
    return start.compareTo(at) <= 0 && (end.isEmpty() || at.compareTo(end) < 0);
  }
}
