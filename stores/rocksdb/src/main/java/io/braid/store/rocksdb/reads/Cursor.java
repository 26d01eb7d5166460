package io.braid.store.rocksdb.reads;

import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.tables.Family;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.DirectSlice;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;

/**
 * A reusable iterator over one family, with an end that moves.
 *
 * <p>Making an iterator costs about a quarter of a read; bringing one up to date costs next to
 * nothing. So point reads borrow a cursor, refresh it, and seek.
 *
 * <p>Every seek has an end. Without one, a seek that finds nothing in its row walks over all
 * tombstones behind it, however many there are. RocksDB holds the end by a pointer, so it can be
 * rewritten in place before each seek. Its length is fixed. Bytes of earlier ends remain behind the
 * real end, which ends with 0x00 0x02. They do no harm, because no key starts with the real end
 * (see {@link Keys}: the byte after a 0x00 is 0x01 or 0xFF).
 */
final class Cursor implements AutoCloseable {
  /** Longer than all keys within the usual limits, escaped. */
  private static final int END_BYTES = 20 << 10;

  private static final byte BEYOND = 2;

  private final Engine engine;
  final Family family;
  private @Nullable View view;
  private @Nullable Snapshot snapshot;

  Cursor(Engine engine, Family family) {
    this.engine = engine;
    this.family = family;
  }

  /**
   * Brings the cursor up to date: it sees every write that returned before.
   *
   * @param at what to see instead; until the next refresh
   */
  void refresh(@Nullable Snapshot at) {
    snapshot = at;
    View open = view;
    if (open != null) {
      open.refresh(at);
    }
  }

  /**
   * Goes to the first key at or after {@code from} and before the end of all keys that start with
   * {@code end[0, endLength)}, which ends an escaped field.
   *
   * @return the iterator; its {@code isValid} tells whether there is such a key
   */
  RocksIterator seek(byte[] from, byte[] end, int endLength) {
    View open = view;
    if (open == null || open.capacity() < endLength) {
      close();
      open = new View(engine, family, Math.max(END_BYTES, endLength));
      view = open;
      if (snapshot != null) {
        open.refresh(snapshot);
      }
    }
    open.setEnd(end, endLength);
    open.iterator.seek(from);
    return open.iterator;
  }

  @Override
  public void close() {
    View open = view;
    view = null;
    if (open != null) {
      open.close();
    }
  }

  /** The iterator and the native objects it points to. */
  private static final class View implements AutoCloseable {
    private final ByteBuffer end;
    private final DirectSlice slice;
    private final ReadOptions options;
    private final RocksIterator iterator;

    View(Engine engine, Family family, int capacity) {
      end = ByteBuffer.allocateDirect(capacity);
      slice = new DirectSlice(end, capacity);
      options = new ReadOptions().setIterateUpperBound(slice);
      iterator = engine.db.newIterator(family.handle, options);
    }

    int capacity() {
      return end.capacity();
    }

    void setEnd(byte[] prefix, int length) {
      end.put(0, prefix, 0, length - 1);
      end.put(length - 1, BEYOND);
    }

    void refresh(@Nullable Snapshot snapshot) {
      try {
        if (snapshot == null) {
          iterator.refresh();
        } else {
          iterator.refresh(snapshot);
        }
      } catch (RocksDBException e) {
        throw Engine.failure("A cursor cannot be refreshed.", e);
      }
    }

    @Override
    public void close() {
      iterator.close();
      options.close();
      slice.close();
    }
  }
}
