package io.braid.serving.chunk;

import io.braid.core.data.Bytes;
import org.apiguardian.api.API;

/**
 * The greatest sizes of keys, values and chunks.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Limits {
  /** Longest key, in bytes: 64 KiB. */
  public static final int KEY = 1 << 16;

  /**
   * Longest value that is built, in bytes: 16 MiB, which every endpoint of every node can answer.
   */
  public static final int VALUE = 16 << 20;

  /** Longest value that is read from a file, in bytes: earlier builds wrote up to 256 MiB. */
  static final int STORED = 1 << 28;

  /** Most bytes of tuples that are packed together: the longest tuple, and some beside it. */
  static final int BLOCK = STORED + (1 << 20);

  /** Most bytes of tuples in a chunk: a data file is mapped as a whole. */
  public static final long CHUNK = Integer.MAX_VALUE - 4096L;

  private Limits() {}

  /**
   * Refuses what cannot be stored.
   *
   * @throws IllegalArgumentException when the key is empty or too long, or the value too long
   */
  public static void check(Bytes key, Bytes value) {
    if (key.isEmpty() || key.length() > KEY) {
      throw new IllegalArgumentException(
          "A key of " + key.length() + " bytes: a store's keys have 1 to " + KEY + " bytes.");
    }
    if (value.length() > VALUE) {
      throw new IllegalArgumentException(
          "The value of key "
              + key
              + " has "
              + value.length()
              + " bytes: a store's values have at most "
              + VALUE
              + " bytes. Leave it out, or cut it into several keys.");
    }
  }
}
