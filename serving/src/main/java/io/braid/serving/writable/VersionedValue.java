package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A value with its clock.
 *
 * @param millis the time of the write by the writer's clock, for people and resolvers only
 * @param value none when the tuple was deleted
 * @param write distinguishes this write from all others, at any node that first took it; 0 for an
 *     import, and where a node without such numbers kept it
 */
@API(status = API.Status.EXPERIMENTAL)
public record VersionedValue(VectorClock clock, long millis, Optional<Bytes> value, long write) {
  private static final int MOST_SIBLINGS = 10_000;

  public VersionedValue(VectorClock clock, long millis, Optional<Bytes> value) {
    this(clock, millis, value, 0);
  }

  /**
   * Returns whether this version can replace {@code other} without loss: its writer had seen {@code
   * other}, or another try of it. Another write with the same counts is not included, because
   * neither writer knew of the other.
   */
  boolean includes(VersionedValue other) {
    return isSame(other)
        || (other.write != 0 && clock.names(other.write))
        || clock.follows(other.clock);
  }

  /** Whether both are of one write. */
  boolean isSame(VersionedValue other) {
    if (write != 0 && other.write != 0) {
      return write == other.write;
    }
    return clock.compare(other.clock) == VectorClock.Order.SAME && value.equals(other.value);
  }

  /**
   * Returns this version in the place of one that it includes. All that the other clock counts and
   * names counts as seen, too. So all tries of a write become one.
   */
  VersionedValue over(VersionedValue included) {
    VectorClock both = clock.merged(included.clock);
    long known = write == 0 && isSame(included) ? included.write : write;
    return both.equals(clock) && known == write
        ? this
        : new VersionedValue(both, millis, value, known);
  }

  public void encode(Encoder encoder) {
    encodePlain(encoder);
    encodeTries(encoder);
  }

  public static VersionedValue decode(Decoder decoder) {
    return decodePlain(decoder).decodeTries(decoder);
  }

  /** Encodes the version without numbers of writes, in the original format. */
  private void encodePlain(Encoder encoder) {
    clock.encodeCounts(encoder);
    encoder.varint(millis).bool(value.isPresent());
    value.ifPresent(encoder::bytes);
  }

  private static VersionedValue decodePlain(Decoder decoder) {
    VectorClock clock = VectorClock.decodeCounts(decoder);
    long millis = decoder.varint();
    return new VersionedValue(
        clock, millis, decoder.bool() ? Optional.of(decoder.bytes()) : Optional.empty());
  }

  private void encodeTries(Encoder encoder) {
    encoder.int64(write);
    clock.encodeTries(encoder);
  }

  /** An encoder without numbers of writes sends nothing more here. */
  private VersionedValue decodeTries(Decoder decoder) {
    if (decoder.remaining() == 0) {
      return this;
    }
    long number = decoder.int64();
    return new VersionedValue(clock.decodeTries(decoder), millis, value, number);
  }

  /** Writes siblings, at the end of something. */
  public static void encode(List<VersionedValue> siblings, Encoder encoder) {
    encodePlain(siblings, encoder);
    encodeTries(siblings, encoder);
  }

  public static List<VersionedValue> decodeAll(Decoder decoder) {
    return decodeTries(decodePlains(decoder), decoder);
  }

  /** As {@link #encode(List, Encoder)}, to be followed by {@link #encodeTries} at the end. */
  public static void encodePlain(List<VersionedValue> siblings, Encoder encoder) {
    encoder.varint(siblings.size());
    siblings.forEach(sibling -> sibling.encodePlain(encoder));
  }

  public static List<VersionedValue> decodePlains(Decoder decoder) {
    int count = decoder.count(MOST_SIBLINGS);
    List<VersionedValue> siblings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      siblings.add(decodePlain(decoder));
    }
    return siblings;
  }

  public static void encodeTries(List<VersionedValue> siblings, Encoder encoder) {
    siblings.forEach(sibling -> sibling.encodeTries(encoder));
  }

  public static List<VersionedValue> decodeTries(List<VersionedValue> plain, Decoder decoder) {
    return plain.stream().map(sibling -> sibling.decodeTries(decoder)).toList();
  }
}
