package io.braid.tables;

import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.protocol.OtherProtocolException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of tables of all protocols. Percolator's part draws the timestamp and keeps its
 * versions; Omid's part is there once a table of it is read.
 */
class BoundSnapshot<S extends Snapshot> implements Snapshot {
  private final TableBindings bindings;
  private final S percolator;
  private final LongFunction<S> omidAt;
  private final AtomicReference<@Nullable S> omid = new AtomicReference<>();
  private volatile boolean ended;

  /**
   * @param omidAt Omid's part at a timestamp
   */
  BoundSnapshot(TableBindings bindings, S percolator, LongFunction<S> omidAt) {
    this.bindings = bindings;
    this.percolator = percolator;
    this.omidAt = omidAt;
  }

  /** The protocol by which a table is read. */
  Protocol protocol(String table) {
    bindings.requireOpen();
    return bindings.of(table);
  }

  final S part(Protocol protocol) {
    if (protocol == Protocol.PERCOLATOR) {
      return percolator;
    }
    S part = omid.get();
    return part != null ? part : join();
  }

  /** Brings the part. If several threads come here at once, one of their parts is kept. */
  private S join() {
    requireNotEnded();
    S part = omidAt.apply(percolator.timestamp());
    joined(part);
    if (omid.compareAndSet(null, part)) {
      if (ended) {
        // Another thread has ended the snapshot and did not see this part. The part would hold back
        // the collector.
        part.close();
        requireNotEnded();
      }
      return part;
    }
    part.close();
    return Objects.requireNonNull(omid.get());
  }

  /**
   * Refuses further parts: a later part would never be closed and would hold back the collector.
   */
  final void end() {
    ended = true;
  }

  final boolean hasEnded() {
    return ended;
  }

  private void requireNotEnded() {
    if (ended) {
      throw new IllegalStateException("What was read at " + timestamp() + " is closed.");
    }
  }

  /** Omid's part is there from now on. */
  void joined(S part) {}

  private S of(Row row) {
    return part(protocol(row.table()));
  }

  /**
   * Returns the part for a table that was read under one protocol and had an intent of another.
   * Another process has bound the table to the other protocol since. Everything below this snapshot
   * is settled then.
   */
  private S other(Protocol used, String table, OtherProtocolException met) {
    bindings.lookAgain();
    Protocol now = protocol(table);
    if (now == used) {
      throw met;
    }
    return part(now);
  }

  final @Nullable S omidIfUsed() {
    return omid.get();
  }

  @Override
  public long timestamp() {
    return percolator.timestamp();
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    Protocol used = protocol(row.table());
    try {
      return part(used).get(row, column);
    } catch (OtherProtocolException e) {
      return other(used, row.table(), e).get(row, column);
    }
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    bindings.requireOpen();
    if (bindings.isEmpty() && omid.get() == null) {
      return percolator.getAll(rows, columns);
    }
    try {
      return getShares(rows, columns);
    } catch (OtherProtocolException e) {
      bindings.lookAgain();
      return getShares(rows, columns);
    }
  }

  private Map<Row, RowValues> getShares(
      Collection<Row> rows, Collection<? extends Column<?>> columns) {
    Map<Protocol, List<Row>> shares = new EnumMap<>(Protocol.class);
    for (Row row : rows) {
      shares.computeIfAbsent(protocol(row.table()), p -> new ArrayList<>()).add(row);
    }
    Map<Row, RowValues> found = new LinkedHashMap<>();
    shares.forEach((protocol, share) -> found.putAll(part(protocol).getAll(share, columns)));
    Map<Row, RowValues> ordered = new LinkedHashMap<>();
    rows.forEach(row -> ordered.put(row, Objects.requireNonNull(found.get(row))));
    return ordered;
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    Protocol used = protocol(row.table());
    try {
      return part(used).getRow(row, families);
    } catch (OtherProtocolException e) {
      return other(used, row.table(), e).getRow(row, families);
    }
  }

  @Override
  public RowCursor scan(Scan scan) {
    Protocol used = protocol(scan.table());
    RowCursor cursor = part(used).scan(scan);
    return bindings.isShared() ? new SharedCursor(scan, used, cursor) : cursor;
  }

  /** A scan of a table that another process may bind to another protocol meanwhile. */
  private final class SharedCursor implements RowCursor {
    private Protocol used;
    private RowCursor cursor;
    private Scan rest;

    SharedCursor(Scan scan, Protocol used, RowCursor cursor) {
      this.rest = scan;
      this.used = used;
      this.cursor = cursor;
    }

    @Override
    public boolean hasNext() {
      try {
        return cursor.hasNext();
      } catch (OtherProtocolException e) {
        S part = other(used, rest.table(), e);
        cursor.close();
        used = protocol(rest.table());
        cursor = part.scan(rest);
        return cursor.hasNext();
      }
    }

    @Override
    public RowValues next() {
      if (!hasNext()) {
        throw new NoSuchElementException("The scan has no more rows.");
      }
      RowValues row = cursor.next();
      KeyRange left = new KeyRange(row.row().key().successor(), rest.range().end());
      rest = rest.range(left).limit(rest.limit() - 1);
      return row;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    return of(row).lastChanged(row, column);
  }

  @Override
  public OptionalLong changedSince(Row row, Column<?> column, long version) {
    return of(row).changedSince(row, column, version);
  }

  @Override
  public void close() {
    end();
    S part = omid.get();
    if (part != null) {
      part.close();
    }
    percolator.close();
  }
}
