package io.braid.gateway.metrics;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a request belongs to, as the W3C headers {@code traceparent} and {@code
 * tracestate} state it. Invalid headers are ignored, as the W3C recommendation asks.
 */
public final class IncomingTrace {
  /** The headers that name the trace. */
  public interface Headers extends Function<String, @Nullable String> {}

  private static final TextMapGetter<Headers> GETTER =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Headers headers) {
          return W3CTraceContextPropagator.getInstance().fields();
        }

        @Override
        public @Nullable String get(@Nullable Headers headers, String name) {
          return headers == null ? null : headers.apply(name);
        }
      };

  private IncomingTrace() {}

  /** Returns the parent context for spans of the request; empty if no header names it. */
  public static Context of(Headers headers) {
    return W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, GETTER);
  }
}
