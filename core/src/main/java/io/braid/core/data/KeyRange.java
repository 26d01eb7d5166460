package io.braid.core.data;

import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The keys from one up to another, which is not included.
 *
 * @param start the lowest key; no bytes: from the beginning
 * @param end the key before which it ends; null: no end
 */
@API(status = API.Status.STABLE)
public record KeyRange(Bytes start, @Nullable Bytes end) {
  /** All keys there are. */
  public static final KeyRange ALL = new KeyRange(Bytes.EMPTY, null);

  public KeyRange {
    Objects.requireNonNull(start, "start");
  }

  /** All keys that start with {@code prefix}. */
  public static KeyRange prefix(Bytes prefix) {
    return new KeyRange(prefix, prefix.prefixEnd());
  }

  /** Only {@code key}. */
  public static KeyRange single(Bytes key) {
    return new KeyRange(key, key.successor());
  }

  /** Whether a key lies in it. */
  public boolean contains(Bytes key) {
    return key.compareTo(start) >= 0 && (end == null || key.compareTo(end) < 0);
  }

  /** Whether no key can lie in it. */
  public boolean isEmpty() {
    return end != null && start.compareTo(end) >= 0;
  }

  /** The keys that lie in both; possibly empty. */
  public KeyRange intersect(KeyRange other) {
    Bytes from = start.compareTo(other.start) >= 0 ? start : other.start;
    Bytes otherEnd = other.end;
    Bytes thisEnd = end;
    if (thisEnd == null) {
      return new KeyRange(from, otherEnd);
    }
    if (otherEnd == null) {
      return new KeyRange(from, thisEnd);
    }
    return new KeyRange(from, thisEnd.compareTo(otherEnd) <= 0 ? thisEnd : otherEnd);
  }

  @Override
  public String toString() {
    return "[" + start + ", " + (end == null ? "end" : end) + ")";
  }
}
