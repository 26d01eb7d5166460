package io.braid.core.cells;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * Lets the leader of a key group write the rows that the group holds. A pass is valid for one epoch
 * of the group: when another leader takes the group over, the passes of the old leader end.
 *
 * @param group the name of the group; empty for a writer outside of any group
 */
public record HoldPass(String group, long epoch) {
  public static final HoldPass NONE = new HoldPass("", 0);

  public boolean isNone() {
    return group.isEmpty();
  }

  void encode(Encoder to) {
    to.text(group);
    if (!isNone()) {
      to.varint(epoch);
    }
  }

  static HoldPass decode(Decoder from) {
    String group = from.text();
    return group.isEmpty() ? NONE : new HoldPass(group, from.varint());
  }
}
