package io.braid.store.rocksdb.reads;

import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.WriteCount;
import io.braid.store.rocksdb.tables.Family;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Snapshot;

/**
 * The cursors of one call, one for each family that it reads, and the counters of what it did. For
 * one thread at a time.
 */
public final class Cursors implements AutoCloseable {
  private final Engine engine;
  private final Map<Family, Entry> entries = new IdentityHashMap<>();
  private long round;
  private @Nullable Snapshot snapshot;
  private boolean used;

  Cursors(Engine engine) {
    this.engine = engine;
  }

  /** From here on every family is read as it is at its next use. */
  public void renew() {
    round++;
    snapshot = null;
    used = true;
  }

  /** From here on every family is read as the snapshot has it. */
  public void renew(Snapshot at) {
    round++;
    snapshot = at;
  }

  public Cursor of(Family family) {
    Entry entry = entries.get(family);
    if (entry == null) {
      entry = new Entry(new Cursor(engine, family));
      entries.put(family, entry);
    }
    if (entry.round != round) {
      entry.round = round;
      refresh(entry);
    }
    return entry.cursor;
  }

  /** Whether the family can be read without bringing a cursor up to date. */
  boolean isUpToDate(Family family) {
    Entry entry = entries.get(family);
    return entry != null
        && snapshot == null
        && (entry.round == round || engine.writes.noneSince(entry.state));
  }

  /** Refreshes a cursor, unless it is up to date anyway. */
  private void refresh(Entry entry) {
    if (snapshot != null || !engine.writes.noneSince(entry.state)) {
      long state = engine.writes.state();
      entry.cursor.refresh(snapshot);
      entry.state = snapshot == null ? state : WriteCount.UNKNOWN;
    }
  }

  /** Returns whether the cursors were used since the last call. */
  boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  @Override
  public void close() {
    entries.values().forEach(entry -> entry.cursor.close());
    entries.clear();
  }

  private static final class Entry {
    private final Cursor cursor;
    private long round = -1;
    private long state = WriteCount.UNKNOWN;

    Entry(Cursor cursor) {
      this.cursor = cursor;
    }
  }
}
