package io.braid.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;

/**
 * Passes on the trace of the program, as W3C's header {@code traceparent}, so that the spans of the
 * server are part of it. Sends nothing when there is none.
 */
final class Traceparent implements ClientInterceptor {
  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<R> listener, Metadata headers) {
        W3CTraceContextPropagator.getInstance()
            .inject(Context.current(), headers, Traceparent::put);
        super.start(listener, headers);
      }
    };
  }

  private static void put(Metadata headers, String name, String value) {
    headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
  }
}
