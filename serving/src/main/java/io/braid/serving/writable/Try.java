package io.braid.serving.writable;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.Comparator;

/**
 * Says which write a count of a {@link VectorClock} is, or would be if the node took the write. A
 * write that gets no answer is tried at another node, so one write may have several tries.
 *
 * @param node that was asked to be the first to take the write
 * @param count of its writes
 * @param write drawn at random, once for all tries of a write; never 0
 */
public record Try(int node, long count, long write) implements Comparable<Try> {
  private static final Comparator<Try> ORDER =
      Comparator.comparingInt(Try::node).thenComparing(Try::count).thenComparing(Try::write);

  @Override
  public int compareTo(Try other) {
    return ORDER.compare(this, other);
  }

  void encode(Encoder to) {
    to.varint(node).varint(count).int64(write);
  }

  static Try decode(Decoder from) {
    return new Try(from.count(Integer.MAX_VALUE), from.varint(), from.int64());
  }

  static Try parse(String text) {
    String[] parts = text.split(":", -1);
    return new Try(
        Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Long.parseUnsignedLong(parts[2], 16));
  }

  @Override
  public String toString() {
    return node + ":" + count + ":" + Long.toHexString(write);
  }
}
