package io.braid.gateway.metrics;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a request belongs to: W3C's headers {@code traceparent} and {@code tracestate} say
 * it. What is none is passed over, as that recommendation asks for.
 */
public final class IncomingTrace {
  /** The headers that tell it. */
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

  /** What spans of the request stand beneath; nothing if no header tells it. */
  public static Context of(Headers headers) {
    return W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, GETTER);
  }
}
