package io.braid.omid.rows;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import java.util.List;

/** The answer of a procedure that writes. */
public sealed interface OmidAnswer {

  /** The request is done, or there was nothing to do. */
  record Done() implements OmidAnswer {}

  /** Written and committed, at this version. */
  record Committed(long commit) implements OmidAnswer {}

  /** Others were first; nothing was written. */
  record Colliding(List<Collision> collisions) implements OmidAnswer {
    public Colliding {
      collisions = List.copyOf(collisions);
    }
  }

  /** The row may not be written; nothing was written. */
  record Refused(Refusal refusal) implements OmidAnswer {}

  /** The tablet clock needs a fresh timestamp first; nothing was written. */
  record Exhausted() implements OmidAnswer {}

  /** The write was refused before, for good: it was not and will not be executed. */
  record Ended() implements OmidAnswer {}

  /**
   * A column that cannot be written.
   *
   * @param other the newer commit, or the start of the transaction that has a tentative cell there
   * @param tentative whether {@code other} is the start of a transaction with a tentative cell
   */
  record Collision(Row row, ColumnName column, long other, boolean tentative) {}

  OmidAnswer DONE = new Done();
  OmidAnswer EXHAUSTED = new Exhausted();
  OmidAnswer ENDED = new Ended();

  Codec<OmidAnswer> CODEC = Codecs.of(OmidAnswer::encode, OmidAnswer::decode);

  private static Bytes encode(OmidAnswer answer) {
    Encoder to = new Encoder(16);
    if (answer instanceof Done) {
      to.u8(1);
    } else if (answer instanceof Committed committed) {
      to.u8(2).varint(committed.commit);
    } else if (answer instanceof Colliding colliding) {
      Lists.encode(to.u8(3), colliding.collisions, OmidAnswer::encodeCollision);
    } else if (answer instanceof Refused refused) {
      refused.refusal.encode(to.u8(4));
    } else if (answer instanceof Exhausted) {
      to.u8(5);
    } else if (answer instanceof Ended) {
      to.u8(6);
    }
    return to.finish();
  }

  private static OmidAnswer decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int code = from.u8();
    return switch (code) {
      case 1 -> DONE;
      case 2 -> new Committed(from.varint());
      case 3 -> new Colliding(Lists.decode(from, OmidAnswer::decodeCollision));
      case 4 -> new Refused(Refusal.decode(from));
      case 5 -> EXHAUSTED;
      case 6 -> ENDED;
      default -> throw new IllegalArgumentException("No answer is of kind " + code + ".");
    };
  }

  private static void encodeCollision(Collision collision, Encoder to) {
    to.row(collision.row)
        .column(collision.column)
        .varint(collision.other)
        .bool(collision.tentative);
  }

  private static Collision decodeCollision(Decoder from) {
    return new Collision(from.row(), from.column(), from.varint(), from.bool());
  }
}
