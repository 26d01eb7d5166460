package io.braid.serving.build;

import io.braid.core.data.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What a build makes of each tuple of its input (section 4.2.1): {@code makeKey} and {@code
 * makeValue}. The input's own key and value are what its options say: a field, and another one or
 * an object of all others.
 *
 * <p>Both are called by one thread, for one tuple after another.
 */
public interface TupleMapper {
  /** The key of the tuple that is stored; null: none is. */
  @Nullable Bytes makeKey(Bytes key, Bytes value);

  /** Its value; not asked for when there is no key. */
  Bytes makeValue(Bytes key, Bytes value);
}
