package io.braid.tracing;

import io.braid.core.runtime.RecentEntries;
import io.braid.core.store.CellStore;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Spans of the work of a database. They hold names of tables, counts and timestamps, never keys or
 * values; of a failure, only its kind.
 */
public final class Tracing {
  /** The number of transactions whose trace is remembered. */
  private static final int REMEMBERED = 4096;

  private final Tracer tracer;
  // By start timestamp.
  private final RecentEntries<Long, Context> writers = new RecentEntries<>(REMEMBERED);

  /** Work within a span. */
  interface Work<R extends @Nullable Object, E extends Exception> {
    R run(Span span) throws E;
  }

  private Tracing(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Returns tracing by a telemetry; empty if the telemetry does nothing. */
  public static Optional<Tracing> by(OpenTelemetry telemetry) {
    return telemetry == OpenTelemetry.noop()
        ? Optional.empty()
        : Optional.of(new Tracing(telemetry.getTracer("io.braid")));
  }

  public CellStore store(CellStore store) {
    return new TracedStore(store, this);
  }

  /** Begins a span that the caller ends. */
  Span begin(String name, Context parent) {
    return tracer.spanBuilder(name).setParent(parent).startSpan();
  }

  /** Does work in a span beneath the current one. */
  <R extends @Nullable Object, E extends Exception> R in(String name, Work<R, E> work) throws E {
    return in(name, Context.current(), work);
  }

  <R extends @Nullable Object, E extends Exception> R in(
      String name, Context parent, Work<R, E> work) throws E {
    Span span = begin(name, parent);
    try (Scope open = parent.with(span).makeCurrent()) {
      return work.run(span);
    } catch (RuntimeException | Error e) {
      failed(span, e);
      throw e;
    } finally {
      span.end();
    }
  }

  static void failed(Span span, Throwable failure) {
    span.setStatus(StatusCode.ERROR).setAttribute("error.type", failure.getClass().getName());
  }

  /**
   * Remembers the trace of a transaction. Later work for the transaction, on any thread, belongs to
   * the trace.
   */
  void remember(long start, Context transaction) {
    if (Span.fromContext(transaction).isRecording()) {
      writers.put(start, transaction);
    }
  }

  /** The transaction with this start timestamp, if it wrote here lately and is traced. */
  @Nullable Context writer(long start) {
    return writers.get(start);
  }
}
