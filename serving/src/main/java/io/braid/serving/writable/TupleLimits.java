package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.serving.chunk.Limits;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The limits of a tuple of a read-write store. A replica gets a tuple as one body of bounded
 * length. A tuple that does not fit is refused before any replica has it.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TupleLimits {
  /** Longest value, in bytes: 3 MiB. */
  public static final int VALUE = 3 << 20;

  private TupleLimits() {}

  /** Refuses what is no key. */
  static void check(Bytes key) {
    if (key.isEmpty() || key.length() > Limits.KEY) {
      throw new IllegalArgumentException(
          "A key of " + key.length() + " bytes: keys have 1 to " + Limits.KEY + " bytes.");
    }
  }

  /** Refuses what cannot be written. */
  public static void check(Bytes key, Optional<Bytes> value) {
    check(key);
    int length = value.map(Bytes::length).orElse(0);
    if (length > VALUE) {
      throw new IllegalArgumentException(
          "A value of "
              + length
              + " bytes: values of read-write stores have at most "
              + VALUE
              + ".");
    }
  }
}
