package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import java.io.ByteArrayOutputStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Keys of index rows: the value, then the key of the row. Zeros in a value are escaped, so that
 * keys sort as values do, and none is the beginning of another: 00 becomes 00 FF, and 00 00 ends
 * it.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class IndexKeys {
  private static final int ESCAPE = 0;
  private static final int ESCAPED = 0xFF;

  private IndexKeys() {}

  /** Returns the common start of the keys of all rows with this value. */
  static Bytes prefix(Bytes value) {
    ByteArrayOutputStream key = escaped(value);
    key.write(ESCAPE);
    key.write(ESCAPE);
    return Bytes.wrap(key.toByteArray());
  }

  static Bytes key(Bytes value, Bytes row) {
    return prefix(value).concat(row);
  }

  /** The key of the row that an index key names. */
  static Bytes row(Bytes key) {
    for (int i = 0; i + 1 < key.length(); i++) {
      if (key.at(i) == ESCAPE) {
        if (key.at(i + 1) == ESCAPE) {
          return key.slice(i + 2);
        }
        i++;
      }
    }
    throw new IllegalArgumentException("No index row has the key " + key + ".");
  }

  /**
   * Returns the range of all values from one up to another, which is not included; null means no
   * bound.
   */
  public static KeyRange range(@Nullable Bytes from, @Nullable Bytes to) {
    return new KeyRange(from == null ? Bytes.EMPTY : prefix(from), to == null ? null : prefix(to));
  }

  private static ByteArrayOutputStream escaped(Bytes value) {
    ByteArrayOutputStream key = new ByteArrayOutputStream(value.length() + 8);
    for (int i = 0; i < value.length(); i++) {
      key.write(value.at(i));
      if (value.at(i) == ESCAPE) {
        key.write(ESCAPED);
      }
    }
    return key;
  }
}
