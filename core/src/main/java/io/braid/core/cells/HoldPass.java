package io.braid.core.cells;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * Lets the leader of a key group write the rows that the group holds. It is good for one epoch of
 * the group: when another leader takes the group over, the old one's passes end.
 *
 * @param group the name of the group; empty for one who belongs to none
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
