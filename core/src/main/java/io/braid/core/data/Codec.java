package io.braid.core.data;

/** Turns values of one type into bytes and back. Stateless; safe for many threads. */
public interface Codec<T> {
  /** The bytes of a value. */
  Bytes encode(T value);

  /**
   * The value of bytes that {@link #encode} made.
   *
   * @throws IllegalArgumentException when the bytes are not of this codec's making; the text says
   *     what was expected
   */
  T decode(Bytes bytes);
}
