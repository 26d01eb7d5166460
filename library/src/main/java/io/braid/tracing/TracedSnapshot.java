package io.braid.tracing;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A snapshot whose reads are spans beneath its own, from its begin to its end. */
class TracedSnapshot<S extends Snapshot> implements Snapshot {
  final S inner;
  final Tracing tracing;
  final Span span;
  final Context context;

  /**
   * @param context in which {@code span} is the current one
   */
  TracedSnapshot(S inner, Tracing tracing, Span span, Context context) {
    this.inner = inner;
    this.tracing = tracing;
    this.span = span;
    this.context = context;
  }

  private <R> R read(String table, int rows, Supplier<R> read) {
    return tracing.in(
        "read",
        context,
        own -> {
          own.setAttribute("braid.tables", table).setAttribute("braid.rows", rows);
          return read.get();
        });
  }

  @Override
  public long timestamp() {
    return inner.timestamp();
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    return read(row.table(), 1, () -> inner.get(row, column));
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    String tables = String.join(",", rows.stream().map(Row::table).distinct().sorted().toList());
    return read(tables, rows.size(), () -> inner.getAll(rows, columns));
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    return read(row.table(), 1, () -> inner.getRow(row, families));
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    return read(row.table(), 1, () -> inner.lastChanged(row, column));
  }

  @Override
  public OptionalLong changedSince(Row row, Column<?> column, long version) {
    return read(row.table(), 1, () -> inner.changedSince(row, column, version));
  }

  @Override
  public RowCursor scan(Scan scan) {
    Span own = tracing.begin("scan", context);
    own.setAttribute("braid.tables", scan.table());
    Context within = context.with(own);
    try (Scope open = within.makeCurrent()) {
      return new TracedCursor(inner.scan(scan), own, within);
    } catch (RuntimeException | Error e) {
      Tracing.failed(own, e);
      own.end();
      throw e;
    }
  }

  @Override
  public void close() {
    inner.close();
    span.end();
  }

  /** Calls the store in the course of its scan, whenever it is asked. */
  private static final class TracedCursor implements RowCursor {
    private final RowCursor inner;
    private final Span span;
    private final Context within;
    private long rows;

    TracedCursor(RowCursor inner, Span span, Context within) {
      this.inner = inner;
      this.span = span;
      this.within = within;
    }

    @Override
    public boolean hasNext() {
      try (Scope open = within.makeCurrent()) {
        return inner.hasNext();
      }
    }

    @Override
    public RowValues next() {
      try (Scope open = within.makeCurrent()) {
        RowValues row = inner.next();
        rows++;
        return row;
      }
    }

    @Override
    public void close() {
      inner.close();
      span.setAttribute("braid.rows", rows).end();
    }
  }
}
