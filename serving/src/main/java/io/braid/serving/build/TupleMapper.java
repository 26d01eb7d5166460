package io.braid.serving.build;

import io.braid.core.data.Bytes;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Maps each tuple of a build's input to the tuple that is stored (section 4.2.1): {@code makeKey}
 * and {@code makeValue}. The options of the input define its own key and value. The key is a field.
 * The value is another field, or an object of all other fields.
 *
 * <p>One thread calls both methods, for one tuple after another.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface TupleMapper {
  /** The key of the tuple that is stored; null: none is. */
  @Nullable Bytes makeKey(Bytes key, Bytes value);

  /** Its value; not asked for when there is no key. */
  Bytes makeValue(Bytes key, Bytes value);
}
