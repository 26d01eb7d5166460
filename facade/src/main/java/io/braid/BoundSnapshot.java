package io.braid;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
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

  /**
   * @param omidAt Omid's part at a timestamp
   */
  BoundSnapshot(TableBindings bindings, S percolator, LongFunction<S> omidAt) {
    this.bindings = bindings;
    this.percolator = percolator;
    this.omidAt = omidAt;
  }

  final Protocol protocol(String table) {
    return bindings.of(table);
  }

  final S part(Protocol protocol) {
    if (protocol == Protocol.PERCOLATOR) {
      return percolator;
    }
    S part = omid.get();
    return part != null ? part : join();
  }

  /** Of several threads that come here at once one brings the part. */
  private S join() {
    S part = omidAt.apply(percolator.timestamp());
    joined(part);
    if (omid.compareAndSet(null, part)) {
      return part;
    }
    part.close();
    return Objects.requireNonNull(omid.get());
  }

  /** Omid's part is there from now on. */
  void joined(S part) {}

  private S of(Row row) {
    return part(protocol(row.table()));
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
    return of(row).get(row, column);
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    if (bindings.isEmpty()) {
      return percolator.getAll(rows, columns);
    }
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
    return of(row).getRow(row, families);
  }

  @Override
  public RowCursor scan(Scan scan) {
    return part(protocol(scan.table())).scan(scan);
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
    S part = omid.get();
    if (part != null) {
      part.close();
    }
    percolator.close();
  }
}
