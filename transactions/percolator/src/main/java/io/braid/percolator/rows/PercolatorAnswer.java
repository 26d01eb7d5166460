package io.braid.percolator.rows;

import io.braid.core.cells.Intent;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import java.util.List;

/** The answer of a writing procedure; each procedure says which of these it gives. */
public sealed interface PercolatorAnswer {
  /** The row has the intents of the transaction. */
  record Prewritten() implements PercolatorAnswer {}

  /** The transaction is committed, for ever. */
  record Committed(long commit) implements PercolatorAnswer {}

  /** The transaction is rolled back, for ever. */
  record RolledBack() implements PercolatorAnswer {}

  /**
   * The primary intent is still present; its owner may still commit.
   *
   * @param wallMillis when the owner last said that it works on it, milliseconds since 1970
   * @param open whether the owner is still writing: it has yet to draw its commit timestamp
   */
  record Undecided(String owner, long wallMillis, boolean open) implements PercolatorAnswer {
    static Undecided of(Intent lock) {
      return new Undecided(lock.owner(), lock.wallMillis(), lock.stage().open());
    }
  }

  /** The primary has no trace of the transaction: its prewrite may be on its way. */
  record Missing() implements PercolatorAnswer {}

  /**
   * The primary has no trace of the transaction, and the transaction began below the low watermark:
   * its traces may have been collected. It will not commit from now on; whether it has committed is
   * unknown.
   */
  record Forgotten() implements PercolatorAnswer {}

  /** Nothing was written: others were first. Every colliding cell of the rows is named. */
  record Colliding(List<Collision> collisions) implements PercolatorAnswer {
    public Colliding {
      collisions = List.copyOf(collisions);
    }
  }

  /** The row may not be written. */
  record Refused(Refusal refusal) implements PercolatorAnswer {}

  /** The tablet clock needs a fresh timestamp first; nothing was written. */
  record Exhausted() implements PercolatorAnswer {}

  /** The request is done, or there was nothing to do. */
  record Finished() implements PercolatorAnswer {}

  PercolatorAnswer PREWRITTEN = new Prewritten();
  PercolatorAnswer ROLLED_BACK = new RolledBack();
  PercolatorAnswer MISSING = new Missing();
  PercolatorAnswer FORGOTTEN = new Forgotten();
  PercolatorAnswer EXHAUSTED = new Exhausted();
  PercolatorAnswer FINISHED = new Finished();

  Codec<PercolatorAnswer> CODEC = Codecs.of(PercolatorAnswer::encode, PercolatorAnswer::decode);

  private static Bytes encode(PercolatorAnswer answer) {
    Encoder to = new Encoder(16);
    if (answer instanceof Prewritten) {
      to.u8(1);
    } else if (answer instanceof Committed committed) {
      to.u8(2).varint(committed.commit);
    } else if (answer instanceof RolledBack) {
      to.u8(3);
    } else if (answer instanceof Undecided undecided) {
      to.u8(4).text(undecided.owner).varint(undecided.wallMillis).bool(undecided.open);
    } else if (answer instanceof Missing) {
      to.u8(5);
    } else if (answer instanceof Colliding colliding) {
      Lists.encode(to.u8(6), colliding.collisions, Collision::encode);
    } else if (answer instanceof Refused refused) {
      refused.refusal.encode(to.u8(7));
    } else if (answer instanceof Exhausted) {
      to.u8(8);
    } else if (answer instanceof Finished) {
      to.u8(9);
    } else if (answer instanceof Forgotten) {
      to.u8(10);
    }
    return to.finish();
  }

  private static PercolatorAnswer decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int code = from.u8();
    return switch (code) {
      case 1 -> PREWRITTEN;
      case 2 -> new Committed(from.varint());
      case 3 -> ROLLED_BACK;
      case 4 -> new Undecided(from.text(), from.varint(), from.bool());
      case 5 -> MISSING;
      case 6 -> new Colliding(Lists.decode(from, Collision::decode));
      case 7 -> new Refused(Refusal.decode(from));
      case 8 -> EXHAUSTED;
      case 9 -> FINISHED;
      case 10 -> FORGOTTEN;
      default -> throw new IllegalArgumentException("No answer is of kind " + code + ".");
    };
  }
}
