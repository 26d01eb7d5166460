package io.braid.store.rocksdb;

import java.util.concurrent.atomic.AtomicLongArray;
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

  private static final class Segment {
    private final AtomicLongArray versions = new AtomicLongArray(SEGMENT);
    private final int[] hashes = new int[SEGMENT];
  }

  private final AtomicReferenceArray<@Nullable Segment> segments;
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
    Segment segment = segments.get((hash & mask) >>> BITS);
    return segment == null ? 0 : segment.versions.get(hash & (SEGMENT - 1));
  }

  /** Whether it was raised last for this very hash. */
  boolean isOf(int hash) {
    Segment segment = segments.get((hash & mask) >>> BITS);
    return segment != null && segment.hashes[hash & (SEGMENT - 1)] == hash;
  }

  void raise(int hash, long version) {
    Segment segment = segment((hash & mask) >>> BITS);
    int place = hash & (SEGMENT - 1);
    long before = segment.versions.get(place);
    while (before < version) {
      if (segment.versions.compareAndSet(place, before, version)) {
        segment.hashes[place] = hash;
        return;
      }
      before = segment.versions.get(place);
    }
  }

  private Segment segment(int index) {
    Segment segment = segments.get(index);
    if (segment == null) {
      segments.compareAndSet(index, null, new Segment());
      segment = segments.get(index);
    }
    if (segment == null) {
      throw new IllegalStateException("A segment was taken away.");
    }
    return segment;
  }
}
