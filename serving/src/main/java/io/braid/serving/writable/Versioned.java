package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A value with its clock.
 *
 * @param millis when it was written, for people and resolvers
 * @param value none when the tuple was deleted
 */
public record Versioned(VectorClock clock, long millis, Optional<Bytes> value) {
  private static final int MOST_SIBLINGS = 10_000;

  /**
   * Whether nothing of {@code other} is lost where this one stands. Another value with the same
   * clock is not: whoever wrote that did not know of this one.
   */
  boolean includes(Versioned other) {
    return switch (clock.compare(other.clock)) {
      case AFTER -> true;
      case SAME -> value.equals(other.value);
      case BEFORE, CONCURRENT -> false;
    };
  }

  public void encode(Encoder encoder) {
    clock.encode(encoder);
    encoder.varint(millis).bool(value.isPresent());
    value.ifPresent(encoder::bytes);
  }

  public static Versioned decode(Decoder decoder) {
    VectorClock clock = VectorClock.decode(decoder);
    long millis = decoder.varint();
    return new Versioned(
        clock, millis, decoder.bool() ? Optional.of(decoder.bytes()) : Optional.empty());
  }

  public static void encode(List<Versioned> siblings, Encoder encoder) {
    encoder.varint(siblings.size());
    siblings.forEach(sibling -> sibling.encode(encoder));
  }

  public static List<Versioned> decodeAll(Decoder decoder) {
    int count = decoder.count(MOST_SIBLINGS);
    List<Versioned> siblings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      siblings.add(decode(decoder));
    }
    return siblings;
  }
}
