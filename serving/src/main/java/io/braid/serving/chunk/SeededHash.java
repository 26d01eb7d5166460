package io.braid.serving.chunk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The order of a chunk whose keys somebody has chosen to have one {@link KeyHash}, which everybody
 * knows: SHA-256 of a seed and the key, the upper eight bytes. The seed comes of all that is in the
 * chunk, so whoever chooses keys does not know it before the last of them is chosen.
 */
final class SeededHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private SeededHash() {}

  /** The seed of a chunk with such data; never 0. */
  static long seed(FileDigest data) {
    return Long.parseUnsignedLong(data.sha256().substring(0, 16), 16) | 1;
  }

  static long of(long seed, byte[] key, int offset, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] first = new byte[Long.BYTES];
      LONG.set(first, 0, seed);
      digest.update(first);
      digest.update(key, offset, length);
      return (long) LONG.get(digest.digest(), 0);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
