package io.braid.gateway.rpc;

import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Services of gRPC for an endpoint of HTTP, which bounds what they hold for clients. Health and
 * reflection requests from everybody are answered.
 */
final class RpcServices {
  private final HealthStatusManager health = new HealthStatusManager();
  private static final Set<Status.Code> OF_THE_LIBRARY =
      Set.of(Status.Code.UNKNOWN, Status.Code.INTERNAL, Status.Code.RESOURCE_EXHAUSTED);

  private final List<GrpcService> all;
  private final AtomicBoolean ending = new AtomicBoolean();

  /**
   * @param message bytes of one at most
   * @param ready whether calls are to be sent here; answers at once
   */
  RpcServices(
      int message, BooleanSupplier ready, Guard guard, List<ServerServiceDefinition> services) {
    GrpcServiceBuilder builder = builder(message);
    builder.addService(
        ServerInterceptors.intercept(
            ServerInterceptors.useMarshalledMessages(
                ServerInterceptors.intercept(health.getHealthService(), new HealthRefresher(ready)),
                new MessageBytes()),
            guard));
    services.forEach(
        each ->
            builder.addService(
                // Messages are read within the interceptor, which has the answer to a broken one.
                ServerInterceptors.intercept(
                    ServerInterceptors.useMarshalledMessages(
                        ServerInterceptors.intercept(each, new KnownFields()), new MessageBytes()),
                    guard)));
    this.all =
        List.of(
            builder.build(),
            reflection(ProtoReflectionServiceV1.newInstance()),
            reflection(oldReflection()));
  }

  @SuppressWarnings("deprecation") // the version that many clients still ask for
  private static BindableService oldReflection() {
    return io.grpc.protobuf.services.ProtoReflectionService.newInstance();
  }

  private static GrpcService reflection(BindableService service) {
    return builder(Guard.MOST_FOR_ALL).addService(service).build();
  }

  private static GrpcServiceBuilder builder(int message) {
    return GrpcService.builder()
        .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
        .useBlockingTaskExecutor(false)
        .exceptionHandler(RpcServices::broken)
        .maxRequestMessageLength(message)
        .maxResponseMessageLength(Integer.MAX_VALUE);
  }

  /** Nothing was begun when the library itself fails: services answer their own failures. */
  private static @Nullable Status broken(
      RequestContext context, Status status, Throwable cause, Metadata metadata) {
    boolean named = cause instanceof StatusRuntimeException || cause instanceof StatusException;
    String text = Objects.requireNonNullElse(status.getDescription(), "");
    if (named && !text.startsWith("com.linecorp.armeria")
        || !OF_THE_LIBRARY.contains(status.getCode())) {
      return null;
    }
    if (cause instanceof OutOfMemoryError) {
      return Status.RESOURCE_EXHAUSTED.withDescription("There is no memory for this: try again.");
    }
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        ? Status.RESOURCE_EXHAUSTED.withDescription("The message is too long.")
        : Status.INVALID_ARGUMENT.withDescription("The message cannot be read.");
  }

  List<GrpcService> all() {
    return all;
  }

  /** Tells health checks that this process is ending. */
  void beginDrain() {
    if (!ending.getAndSet(true)) {
      health.enterTerminalState();
    }
  }

  /** Messages as their bytes. The library takes its memory back when it has handed them over. */
  private static final class MessageBytes implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream message) {
      return message;
    }

    @Override
    public InputStream parse(InputStream message) {
      try {
        return new ByteArrayInputStream(message.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Updates the health status before each health request; watchers receive the update too. */
  private final class HealthRefresher implements ServerInterceptor {
    private final BooleanSupplier ready;

    HealthRefresher(BooleanSupplier ready) {
      this.ready = ready;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      health.setStatus(
          HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
          ready.getAsBoolean() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
      return next.startCall(call, headers);
    }
  }
}
