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
 * @param millis the time of the write by the writer's clock, for people and resolvers only
 * @param value none when the tuple was deleted
 * @param write distinguishes this write from all others, at any node that first took it; 0 for an
 *     import, and where a node without such numbers kept it
 */
public record Versioned(VectorClock clock, long millis, Optional<Bytes> value, long write) {
  private static final int MOST_SIBLINGS = 10_000;

  public Versioned(VectorClock clock, long millis, Optional<Bytes> value) {
    this(clock, millis, value, 0);
  }

  /**
   * Returns whether this version can replace {@code other} without loss: its writer had seen {@code
   * other}, or another try of it. Another write with the same counts is not included, because
   * neither writer knew of the other.
   */
  boolean includes(Versioned other) {
    return isSame(other)
        || (other.write != 0 && clock.names(other.write))
        || clock.follows(other.clock);
  }

  /** Whether both are of one write. */
  boolean isSame(Versioned other) {
    if (write != 0 && other.write != 0) {
      return write == other.write;
    }
    return clock.compare(other.clock) == VectorClock.Order.SAME && value.equals(other.value);
  }

  /**
   * Returns this version in the place of one that it includes. All that the other clock counts and
   * names counts as seen, too. So all tries of a write become one.
   */
  Versioned over(Versioned included) {
    VectorClock both = clock.merged(included.clock);
    long known = write == 0 && isSame(included) ? included.write : write;
    return both.equals(clock) && known == write ? this : new Versioned(both, millis, value, known);
  }

  public void encode(Encoder encoder) {
    encodePlain(encoder);
    encodeTries(encoder);
  }

  public static Versioned decode(Decoder decoder) {
    return decodePlain(decoder).decodeTries(decoder);
  }

  /** Encodes the version without numbers of writes, in the original format. */
  private void encodePlain(Encoder encoder) {
    clock.encodeCounts(encoder);
    encoder.varint(millis).bool(value.isPresent());
    value.ifPresent(encoder::bytes);
  }

  private static Versioned decodePlain(Decoder decoder) {
    VectorClock clock = VectorClock.decodeCounts(decoder);
    long millis = decoder.varint();
    return new Versioned(
        clock, millis, decoder.bool() ? Optional.of(decoder.bytes()) : Optional.empty());
  }

  private void encodeTries(Encoder encoder) {
    encoder.int64(write);
    clock.encodeTries(encoder);
  }

  /** An encoder without numbers of writes sends nothing more here. */
  private Versioned decodeTries(Decoder decoder) {
    if (decoder.remaining() == 0) {
      return this;
    }
    long number = decoder.int64();
    return new Versioned(clock.decodeTries(decoder), millis, value, number);
  }

  /** Writes siblings, at the end of something. */
  public static void encode(List<Versioned> siblings, Encoder encoder) {
    encodePlain(siblings, encoder);
    encodeTries(siblings, encoder);
  }

  public static List<Versioned> decodeAll(Decoder decoder) {
    return decodeTries(decodePlains(decoder), decoder);
  }

  /** As {@link #encode(List, Encoder)}, to be followed by {@link #encodeTries} at the end. */
  public static void encodePlain(List<Versioned> siblings, Encoder encoder) {
    encoder.varint(siblings.size());
    siblings.forEach(sibling -> sibling.encodePlain(encoder));
  }

  public static List<Versioned> decodePlains(Decoder decoder) {
    int count = decoder.count(MOST_SIBLINGS);
    List<Versioned> siblings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      siblings.add(decodePlain(decoder));
    }
    return siblings;
  }

  public static void encodeTries(List<Versioned> siblings, Encoder encoder) {
    siblings.forEach(sibling -> sibling.encodeTries(encoder));
  }

  public static List<Versioned> decodeTries(List<Versioned> plain, Decoder decoder) {
    return plain.stream().map(sibling -> sibling.decodeTries(decoder)).toList();
  }
}
