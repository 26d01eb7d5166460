package io.braid.core.cells;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * The progress of a transaction's writes when it wrote an intent. Most transactions write all
 * intents at once, when they commit. A transaction that outgrows the memory writes them in rounds,
 * and a later round replaces intents of an earlier one.
 *
 * @param round the number of the round, from 1 on; 0 where there is only one
 * @param open whether the transaction may still write more: it draws its commit timestamp only
 *     after this mark was removed at its primary. Counts only there
 */
public record WriteStage(int round, boolean open) {
  /** Of a transaction that writes all intents at once. */
  public static final WriteStage ONLY = new WriteStage(0, false);

  public WriteStage {
    if (round < 0 || (round == 0 && open)) {
      throw new IllegalArgumentException("Rounds of writes are numbered from 1.");
    }
  }

  public void encode(Encoder to) {
    to.varint((long) round << 1 | (open ? 1 : 0));
  }

  public static WriteStage decode(Decoder from) {
    long both = from.varint();
    if (both >>> 1 > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("No round of writes is " + (both >>> 1) + ".");
    }
    return both == 0 ? ONLY : new WriteStage((int) (both >>> 1), (both & 1) == 1);
  }
}
