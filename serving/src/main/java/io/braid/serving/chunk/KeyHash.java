package io.braid.serving.chunk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apiguardian.api.API;

/** How a key becomes 64 bits: its place on the ring, in its chunk and in the index. */
@API(status = API.Status.EXPERIMENTAL)
public enum KeyHash {
  /** XXH64 with seed 0: a few nanoseconds for a short key. */
  XXH64 {
    @Override
    public long of(byte[] key, int offset, int length) {
      return xxh64(key, offset, length);
    }
  },

  /** The upper eight bytes of the MD5 of the key (section 4.1). */
  MD5 {
    @Override
    public long of(byte[] key, int offset, int length) {
      MessageDigest digest = DIGEST.get();
      digest.update(key, offset, length);
      return (long) BIG.get(digest.digest(), 0);
    }
  };

  private static final ThreadLocal<MessageDigest> DIGEST =
      ThreadLocal.withInitial(
          () -> {
            try {
              return MessageDigest.getInstance("MD5");
            } catch (NoSuchAlgorithmException e) {
              throw new IllegalStateException("This Java has no MD5.", e);
            }
          });

  private static final VarHandle BIG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P1_PLUS_P2 = 0x60EA27EEADC0B5D6L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final long P3 = 0x165667B19E3779F9L;
  private static final long P4 = 0x85EBCA77C2B2AE63L;
  private static final long P5 = 0x27D4EB2F165667C5L;

  public abstract long of(byte[] key, int offset, int length);

  public long of(byte[] key) {
    return of(key, 0, key.length);
  }

  private static long xxh64(byte[] key, int offset, int length) {
    int at = offset;
    int end = offset + length;
    long hash = P5;
    if (length >= 32) {
      long a = P1_PLUS_P2;
      long b = P2;
      long c = 0;
      long d = -P1;
      for (; at <= end - 32; at += 32) {
        a = round(a, (long) LONG.get(key, at));
        b = round(b, (long) LONG.get(key, at + 8));
        c = round(c, (long) LONG.get(key, at + 16));
        d = round(d, (long) LONG.get(key, at + 24));
      }
      hash =
          Long.rotateLeft(a, 1)
              + Long.rotateLeft(b, 7)
              + Long.rotateLeft(c, 12)
              + Long.rotateLeft(d, 18);
      hash = merge(merge(merge(merge(hash, a), b), c), d);
    }
    hash += length;
    for (; at <= end - 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, (long) LONG.get(key, at)), 27) * P1 + P4;
    }
    if (at <= end - 4) {
      long word = (int) INT.get(key, at) & 0xFFFFFFFFL;
      hash = Long.rotateLeft(hash ^ word * P1, 23) * P2 + P3;
      at += 4;
    }
    for (; at < end; at++) {
      hash = Long.rotateLeft(hash ^ (key[at] & 0xFF) * P5, 11) * P1;
    }
    hash = (hash ^ hash >>> 33) * P2;
    hash = (hash ^ hash >>> 29) * P3;
    return hash ^ hash >>> 32;
  }

  private static long round(long lane, long word) {
    return Long.rotateLeft(lane + word * P2, 31) * P1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * P1 + P4;
  }
}
