package io.braid.serving.chunk;

import java.util.Locale;
import org.apiguardian.api.API;

/** How the index of a chunk is laid out; chosen for each store. */
@API(status = API.Status.EXPERIMENTAL)
public enum IndexKind {
  /**
   * A directory of buckets, each a cache line of fingerprints, over data in the order of hashes.
   */
  BUCKETS(1, KeyHash.XXH64),

  /** The paper's: eight bytes of MD5 and an offset for each tuple, sorted. */
  SORTED(2, KeyHash.MD5),

  /** Blocks of tuples that are packed together, with one entry each. */
  BLOCKS(3, KeyHash.XXH64);

  private final int code;
  private final KeyHash hash;

  IndexKind(int code, KeyHash hash) {
    this.code = code;
    this.hash = hash;
  }

  /** Returns the code of the kind in files. */
  public int code() {
    return code;
  }

  public KeyHash hash() {
    return hash;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the values of such a chunk stand packed by themselves when a store is compressed. */
  public boolean packsValues() {
    return this != BLOCKS;
  }

  /**
   * Returns the kind with a code in files.
   *
   * @throws IllegalArgumentException when there is none
   */
  static IndexKind coded(int code) {
    for (IndexKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new IllegalArgumentException("it is of a kind that this Braid does not know");
  }

  /** The kind with this name. */
  public static IndexKind named(String text) {
    for (IndexKind kind : values()) {
      if (kind.text().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "There is no index kind '" + text + "'. There are: buckets, sorted, blocks.");
  }
}
