package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.server.coordination.Register;
import org.jspecify.annotations.Nullable;

/**
 * The holder of the lease: the leader.
 *
 * @param holder liveness token of the process
 * @param address where it answers, {@code host:port}
 * @param held false when it was given back
 * @param nonce makes every record different from all others ever written
 */
record LeaseRecord(String holder, String address, boolean held, long nonce) {
  private static final int VERSION = 1;

  Bytes encode() {
    return new Encoder(96).u8(VERSION).text(holder).text(address).bool(held).int64(nonce).finish();
  }

  static LeaseRecord decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int version = from.u8();
    if (version != VERSION) {
      throw new IllegalStateException(
          "The coordinator is of another release (its record has version "
              + version
              + ", this one knows "
              + VERSION
              + "): run the same release of Braid everywhere.");
    }
    LeaseRecord record = new LeaseRecord(from.text(), from.text(), from.bool(), from.int64());
    from.end();
    return record;
  }

  /** Decodes a record; null when there is none, or garbage, or one of another release. */
  static @Nullable LeaseRecord of(Register.Entry entry) {
    if (entry.revision() < 0) {
      return null;
    }
    try {
      return decode(entry.value());
    } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
      return null;
    }
  }
}
