package io.braid;

import io.braid.core.store.CellStore;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Spans of what a database does. They tell names of tables, counts and timestamps, never keys or
 * values: of a failure only its kind.
 */
final class Tracing {
  /** Of how many transactions it is known which trace their rows belong to. */
  private static final int REMEMBERED = 4096;

  private final Tracer tracer;
  // Guarded by itself: by start timestamp, the oldest first.
  private final Map<Long, Context> writers =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Context> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** What is done within a span. */
  interface Work<R extends @Nullable Object, E extends Exception> {
    R run(Span span) throws E;
  }

  private Tracing(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Tracing by what somebody has set up; empty if that does nothing. */
  static Optional<Tracing> by(OpenTelemetry telemetry) {
    return telemetry == OpenTelemetry.noop()
        ? Optional.empty()
        : Optional.of(new Tracing(telemetry.getTracer("io.braid")));
  }

  CellStore store(CellStore store) {
    return new TracedStore(store, this);
  }

  /** A span that somebody else ends. */
  Span begin(String name, Context parent) {
    return tracer.spanBuilder(name).setParent(parent).startSpan();
  }

  /** Does something in a span beneath the one in whose course it is done. */
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

  /** What is done later for a transaction, on whatever thread, belongs to this trace. */
  void remember(long start, Context transaction) {
    if (Span.fromContext(transaction).isRecording()) {
      synchronized (writers) {
        writers.put(start, transaction);
      }
    }
  }

  /** The transaction with this start timestamp, if it wrote here lately and is traced. */
  @Nullable Context writer(long start) {
    synchronized (writers) {
      return writers.get(start);
    }
  }
}
