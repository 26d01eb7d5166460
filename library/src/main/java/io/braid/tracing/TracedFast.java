package io.braid.tracing;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.opentelemetry.api.trace.Span;
import java.util.Collection;
import java.util.function.LongSupplier;

/** A session of the fast path each of whose operations is a span, with its call of the store. */
final class TracedFast implements FastSession {
  private final FastSession inner;
  private final Tracing tracing;

  TracedFast(FastSession inner, Tracing tracing) {
    this.inner = inner;
    this.tracing = tracing;
  }

  private static void on(Span span, Row row) {
    span.setAttribute("braid.tables", row.table());
  }

  @Override
  public Versioned<RowValues> readVersion(Row row, Collection<? extends Column<?>> columns) {
    return tracing.in(
        "fast.read",
        span -> {
          on(span, row);
          return inner.readVersion(row, columns);
        });
  }

  private long write(RowChange change, LongSupplier write) {
    return tracing.in(
        "fast.write",
        span -> {
          on(span, change.row());
          long version = write.getAsLong();
          span.setAttribute("braid.commit", version);
          return version;
        });
  }

  @Override
  public long write(RowChange change) {
    return write(change, () -> inner.write(change));
  }

  @Override
  public long writeIf(long version, RowChange change) {
    return write(change, () -> inner.writeIf(version, change));
  }

  @Override
  public Request request() {
    return inner.request();
  }

  @Override
  public long write(Request request, RowChange change) {
    return write(change, () -> inner.write(request, change));
  }

  @Override
  public long last() {
    return inner.last();
  }
}
