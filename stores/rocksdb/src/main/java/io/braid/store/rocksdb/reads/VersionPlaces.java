package io.braid.store.rocksdb.reads;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of versions, each for all columns whose hashes share its place, and which of them
 * had it last. Takes memory only where something was written.
 *
 * <p>Versions only rise. Whose a version is may be told wrongly for a moment.
 */
final class VersionPlaces {
  private static final int BITS = 12;
  private static final int SEGMENT = 1 << BITS;
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  // Of each place the version and, beside it in memory, the hash.
  private final AtomicReferenceArray<long @Nullable []> segments;
  private final int mask;

  /**
   * @param places a power of two, at least 4096
   */
  VersionPlaces(int places) {
    segments = new AtomicReferenceArray<>(places >>> BITS);
    mask = places - 1;
  }

  /** The highest version that was raised to at the place of this hash; 0 when none was. */
  long version(int hash) {
    long[] segment = segments.get((hash & mask) >>> BITS);
    return segment == null ? 0 : (long) LONGS.getVolatile(segment, at(hash));
  }

  /** Whether it was raised last for this very hash. */
  boolean isOf(int hash) {
    long[] segment = segments.get((hash & mask) >>> BITS);
    return segment != null && segment[at(hash) + 1] == hash;
  }

  void raise(int hash, long version) {
    long[] segment = segment((hash & mask) >>> BITS);
    int at = at(hash);
    long before = (long) LONGS.getVolatile(segment, at);
    while (before < version) {
      if (LONGS.compareAndSet(segment, at, before, version)) {
        segment[at + 1] = hash;
        return;
      }
      before = (long) LONGS.getVolatile(segment, at);
    }
  }

  private static int at(int hash) {
    return (hash & (SEGMENT - 1)) << 1;
  }

  private long[] segment(int index) {
    long[] segment = segments.get(index);
    if (segment == null) {
      segment = new long[2 * SEGMENT];
      long[] other = segments.compareAndExchange(index, null, segment);
      segment = other == null ? segment : other;
    }
    return segment;
  }
}
