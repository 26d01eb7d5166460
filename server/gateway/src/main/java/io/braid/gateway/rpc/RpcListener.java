package io.braid.gateway.rpc;

import io.braid.core.runtime.ListenException;
import io.braid.gateway.rpc.RpcServer.Certificates;
import io.braid.gateway.rpc.RpcServer.Connections;
import io.braid.rpc.listen.OpenConnections;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The port for gRPC, for any kind of service. It bounds connections, messages, headers, calls of a
 * connection, answers that callers do not take, and silence. Health and reflection requests from
 * everybody are answered.
 */
final class RpcListener implements AutoCloseable {
  private static final Duration END = Duration.ofSeconds(5);

  private final HealthStatusManager health = new HealthStatusManager();
  private final OpenConnections connections;
  private final UnreadReplies untaken;
  private final Optional<LiveCertificates> certificates;
  private final Server server;

  /**
   * Where to listen, and for how much.
   *
   * @param message bytes of one at most
   * @param untaken bytes of answers that callers have not taken
   */
  record Bounds(
      InetSocketAddress address,
      Optional<Certificates> tls,
      int message,
      Connections connections,
      UnreadReplies.Bounds untaken) {}

  /**
   * Begins to listen.
   *
   * @param ready whether calls are to be sent here; answers at once
   * @throws IllegalArgumentException when a certificate cannot be used
   */
  RpcListener(
      Bounds bounds, BooleanSupplier ready, Guard guard, List<ServerServiceDefinition> services)
      throws IOException {
    this.certificates = bounds.tls().map(LiveCertificates::new);
    this.connections = new OpenConnections(bounds.connections().most());
    this.untaken = new UnreadReplies(bounds.untaken(), connections::cut);
    NettyServerBuilder builder =
        connections
            .bound(builder(bounds.address()), bounds.connections().calls(), bounds.message())
            .addService(
                ServerInterceptors.intercept(
                    ServerInterceptors.useInputStreamMessages(
                        ServerInterceptors.intercept(
                            health.getHealthService(), new HealthRefresher(ready))),
                    guard))
            .addService(
                ServerInterceptors.intercept(
                    ServerInterceptors.useInputStreamMessages(
                        ProtoReflectionServiceV1.newInstance().bindService()),
                    guard));
    services.forEach(
        each ->
            builder.addService(
                // Messages are read within the interceptor, which has the answer to a broken one.
                ServerInterceptors.intercept(
                    ServerInterceptors.useInputStreamMessages(
                        ServerInterceptors.intercept(each, new KnownFields())),
                    guard,
                    untaken)));
    try {
      this.server = builder.build().start();
    } catch (IOException | RuntimeException e) {
      connections.close();
      if (e.getCause() instanceof BindException taken) {
        throw new ListenException(bounds.address(), taken);
      }
      throw e;
    }
  }

  private NettyServerBuilder builder(InetSocketAddress address) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address, InsecureServerCredentials.create());
    return certificates
        .map(tls -> NettyServerBuilder.forAddress(address).sslContext(tls))
        .orElse(builder);
  }

  /**
   * Reads the certificates again.
   *
   * @return brings them into force
   * @throws IllegalArgumentException when they cannot be used
   */
  Runnable rereadCertificates() {
    return certificates.map(LiveCertificates::reread).orElse(() -> {});
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.getListenSockets().get(0);
  }

  OpenConnections connections() {
    return connections;
  }

  UnreadReplies untaken() {
    return untaken;
  }

  /** Tells health checks that this process is ending. */
  void beginDrain() {
    health.enterTerminalState();
  }

  /**
   * Takes no more calls, and waits for those that run.
   *
   * @return whether all ended in time
   */
  boolean drain(Duration most) {
    server.shutdown();
    return await(most);
  }

  private boolean await(Duration most) {
    try {
      return server.awaitTermination(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
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

  @Override
  public void close() {
    beginDrain();
    server.shutdownNow();
    await(END);
    connections.close();
  }
}
