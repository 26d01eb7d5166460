package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The key of a page: the first half of the SHA-256 of its URL. Keys of a fixed small size, spread
 * evenly over the tablets.
 */
public record PageId(Bytes key) implements Comparable<PageId> {
  public static final int LENGTH = 16;

  public PageId {
    if (key.length() != LENGTH) {
      throw new IllegalArgumentException("A page id has " + LENGTH + " bytes, not " + key + ".");
    }
  }

  public static PageId of(String url) {
    return new PageId(sha256(Bytes.of(url)).slice(0, LENGTH));
  }

  @Override
  public int compareTo(PageId other) {
    return key.compareTo(other.key);
  }

  @Override
  public String toString() {
    return key.toHex();
  }

  static Bytes sha256(Bytes bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes.toBuffer());
      return Bytes.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
