package io.braid.serving.chunk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The order of a chunk whose keys were chosen to have one {@link KeyHash}, a public function. The
 * order is by the upper eight bytes of SHA-256 of a seed and the key. The seed depends on the whole
 * content of the chunk, so it is unknown until the last key is chosen.
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
