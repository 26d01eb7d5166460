package io.braid.observers.rows;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import org.apiguardian.api.API;

/**
 * The answer of a procedure that writes a user's row on behalf of observers.
 *
 * @param epoch the current epoch of the table for STALE_EPOCH, else 0
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record GuardedAnswer(Kind kind, long epoch) {
  static final Codec<GuardedAnswer> CODEC = Codecs.of(GuardedAnswer::encode, GuardedAnswer::decode);
  static final GuardedAnswer DONE = new GuardedAnswer(Kind.DONE, 0);
  static final GuardedAnswer NOTHING_TO_DO = new GuardedAnswer(Kind.NOTHING_TO_DO, 0);

  /** The result of the procedure. */
  public enum Kind {
    DONE,
    /** The row is not, or no more, as the caller thought. */
    NOTHING_TO_DO,
    /** The caller knows an old epoch. */
    STALE_EPOCH,
    /** A key group owns the row. */
    HELD
  }

  static GuardedAnswer refused(Refusal refusal) {
    return refusal instanceof Refusal.StaleEpoch stale
        ? new GuardedAnswer(Kind.STALE_EPOCH, stale.current())
        : new GuardedAnswer(Kind.HELD, 0);
  }

  private Bytes encode() {
    return new Encoder(16).u8(kind.ordinal()).varint(epoch).finish();
  }

  private static GuardedAnswer decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int kind = from.u8();
    if (kind >= Kind.values().length) {
      throw new IllegalArgumentException("No answer is of kind " + kind + ".");
    }
    return new GuardedAnswer(Kind.values()[kind], from.varint());
  }
}
