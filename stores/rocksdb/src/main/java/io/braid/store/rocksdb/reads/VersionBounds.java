package io.braid.store.rocksdb.reads;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.time.Timestamp;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.tables.Family;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Tells from memory that a column has no version above a given one. A conflict check asks for this
 * (Percolator, figure 6, line 32), and would otherwise take a seek. By the same means it guesses
 * which version is the newest, so that a read can get the cell by its exact key. RocksDB finds an
 * exact key by its filters; a seek has to look into every file that may hold the key.
 *
 * <p>A fixed number of places for versions, chosen by the hash of row and column. Invariants:
 *
 * <ul>
 *   <li>No cell of an ordinary family that can be read has a version above both the place of its
 *       column and the floor. The place is raised, under the lock of the row, before the cell can
 *       be read. The floor is raised before files are taken over.
 *   <li>No cell on disk has a version above the highest bound in the catalog. A batch with a higher
 *       one carries a new bound with it, some seconds ahead, so that few do. At open the floor is
 *       that bound.
 * </ul>
 *
 * <p>Columns that share a place cause needless seeks, and so do the first seconds after an open;
 * nothing else. A cell that was removed may go on counting.
 *
 * <p>So a cell at exactly the version of its place, which is not below the floor, is the newest of
 * its column. No other can be read above it, or could when the place was looked at.
 */
public final class VersionBounds {
  private static final String PREFIX = "version-bound/";
  private static final long AHEAD = Timestamp.STEP << Timestamp.COUNTER_BITS + 13;
  private static final int LEAST_PLACES = 1 << 12;
  private static final int MOST_PLACES = 1 << 21;

  /** There is one place for each so many bytes of the store's memory. */
  private static final long BYTES_FOR_ONE = 256;

  private final VersionPlaces places;
  private final AtomicLong floor = new AtomicLong();
  // At or below the highest bound on disk.
  private volatile long reserved;
  // Bounds on disk below that; guarded by this.
  private final List<Long> outdated = new ArrayList<>();

  public VersionBounds(Engine engine, boolean empty, long memoryBytes) {
    long wanted = Math.max(LEAST_PLACES, Math.min(MOST_PLACES, memoryBytes / BYTES_FOR_ONE));
    places = new VersionPlaces(Integer.highestOneBit((int) wanted));
    byte[] prefix = PREFIX.getBytes(StandardCharsets.UTF_8);
    try (RocksIterator keys = engine.db.newIterator(engine.catalog)) {
      for (keys.seek(prefix); keys.isValid(); keys.next()) {
        Bytes key = Bytes.wrap(keys.key());
        if (!key.startsWith(Bytes.wrap(prefix))) {
          break;
        }
        outdated.add(key.longAt(prefix.length));
      }
      keys.status();
    } catch (RocksDBException e) {
      throw Engine.failure("The bound of the versions cannot be read.", e);
    }
    long none = empty ? 0 : Timestamp.MAX;
    reserved = outdated.stream().mapToLong(bound -> bound).max().orElse(none);
    floor.set(reserved);
  }

  /** False when no version of the column above this one can be read. */
  boolean mayHaveAbove(Family family, Row row, Bytes qualifier, long version) {
    return floor.get() > version || places.version(hash(family, row.key(), qualifier)) > version;
  }

  /**
   * The version of which the newest cell of the column probably is, if that is not above another
   * one; 0 when that is not known. If there is a cell of this version, it is the newest.
   */
  long likelyNewest(Family family, Row row, Bytes qualifier, long atMost) {
    int hash = hash(family, row.key(), qualifier);
    if (!places.isOf(hash)) {
      return 0;
    }
    long version = places.version(hash);
    return version <= atMost && version >= floor.get() ? version : 0;
  }

  /** A cell with this version is about to be written. */
  public void raise(Family family, Bytes row, Bytes qualifier, long version) {
    places.raise(hash(family, row, qualifier), version);
  }

  /** A bound to write, and those that go with it. */
  public record Raise(long bound, List<Long> outdated) {
    public static byte[] key(long bound) {
      byte[] prefix = PREFIX.getBytes(StandardCharsets.UTF_8);
      byte[] key = Arrays.copyOf(prefix, prefix.length + Long.BYTES);
      Bytes.ofLong(bound).copyTo(key, prefix.length);
      return key;
    }
  }

  /** Returns the bound that has to be written together with a version; null when none has to be. */
  public @Nullable Raise toCover(long version) {
    return version <= reserved ? null : raiseTo(version);
  }

  /**
   * A bound above the version, and those on disk below it. Another thread may have written a higher
   * one meanwhile: that stays, for there may be versions up to it.
   */
  synchronized Raise raiseTo(long version) {
    long bound = version > Timestamp.MAX - AHEAD ? Timestamp.MAX : version + AHEAD;
    return new Raise(bound, outdated.stream().filter(before -> before < bound).toList());
  }

  /** The bound was written. */
  public synchronized void covered(Raise raise) {
    outdated.removeAll(raise.outdated);
    outdated.add(raise.bound);
    reserved = Math.max(reserved, raise.bound);
  }

  /** Files with versions up to this one are about to be taken over. */
  public void raiseFloor(Engine engine, long version) {
    Raise raise = toCover(version);
    if (raise != null) {
      try {
        engine.db.put(engine.catalog, engine.synced, Raise.key(raise.bound), new byte[0]);
      } catch (RocksDBException e) {
        throw new StoreException("The bound of the versions cannot be raised.", e);
      }
      covered(new Raise(raise.bound, List.of()));
    }
    floor.accumulateAndGet(version, Math::max);
  }

  private static int hash(Family family, Bytes row, Bytes qualifier) {
    return Keys.spread((family.id * 31 + row.hashCode()) * 31 + qualifier.hashCode());
  }
}
