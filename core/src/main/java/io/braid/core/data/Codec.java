package io.braid.core.data;

import org.apiguardian.api.API;

/**
 * Turns values of one type into bytes and back, for a {@link Column}. {@link Codecs} has those for
 * numbers and text, and makes one from two functions. Stateless; safe for many threads.
 */
@API(status = API.Status.STABLE)
public interface Codec<T> {
  /** The bytes of a value, which is never null: a column without a value has no cell. */
  Bytes encode(T value);

  /**
   * Decodes bytes that {@link #encode encode} made.
   *
   * @throws IllegalArgumentException when these are clearly no bytes of this codec; the text says
   *     what was expected. A read of the column throws the same
   */
  T decode(Bytes bytes);
}
