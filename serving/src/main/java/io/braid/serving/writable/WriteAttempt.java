package io.braid.serving.writable;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * Says which write a count of a {@link VectorClock} is, or would be if the node took the write. A
 * write that gets no answer is tried at another node, so one write may have several tries.
 *
 * @param node that was asked to be the first to take the write
 * @param count of its writes
 * @param write drawn at random, once for all tries of a write; never 0
 */
@API(status = API.Status.EXPERIMENTAL)
public record WriteAttempt(int node, long count, long write) implements Comparable<WriteAttempt> {
  private static final Comparator<WriteAttempt> ORDER =
      Comparator.comparingInt(WriteAttempt::node)
          .thenComparing(WriteAttempt::count)
          .thenComparing(WriteAttempt::write);

  @Override
  public int compareTo(WriteAttempt other) {
    return ORDER.compare(this, other);
  }

  void encode(Encoder to) {
    to.varint(node).varint(count).int64(write);
  }

  static WriteAttempt decode(Decoder from) {
    return new WriteAttempt(from.count(Integer.MAX_VALUE), from.varint(), from.int64());
  }

  static WriteAttempt parse(String text) {
    String[] parts = text.split(":", -1);
    return new WriteAttempt(
        Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Long.parseUnsignedLong(parts[2], 16));
  }

  @Override
  public String toString() {
    return node + ":" + count + ":" + Long.toHexString(write);
  }
}
