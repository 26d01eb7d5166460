package io.braid.gateway.rpc;

import io.braid.core.runtime.Seams;
import io.braid.gateway.GatewayCore;
import io.braid.http.Workers;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.serving.net.StoreCalls;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Listens for gRPC. Calls are taken by the threads of the network and answered by a bounded pool;
 * connections, messages, headers, calls of a connection and silence are bounded.
 */
public final class RpcServer implements AutoCloseable {
  private static final int HEADERS = 16 << 10;
  private static final int WAITING = 1024;
  private static final Duration END = Duration.ofSeconds(5);

  /**
   * gRPC remarks on every connection that breaks; held here, since levels go with their loggers.
   */
  private static final Logger REMARKS = Logger.getLogger("io.grpc");

  static {
    if (REMARKS.getLevel() == null) {
      REMARKS.setLevel(Level.SEVERE);
    }
  }

  private final Workers workers;
  private final OpenScans scans;
  private final HealthStatusManager health = new HealthStatusManager();
  private final Connected connections;
  private final Server server;

  /**
   * Where and how to listen.
   *
   * @param threads how many calls are answered at a time
   * @param message bytes of one at most
   * @param scans how many rows are on their way at a time
   * @param patience with who takes no rows
   */
  public record Options(
      InetSocketAddress address,
      Optional<Certificates> tls,
      int threads,
      int message,
      int scans,
      Duration patience,
      Connections connections) {}

  /**
   * Bounds of connections.
   *
   * @param most how many there are at a time
   * @param calls how many calls of one run at a time
   */
  public record Connections(int most, int calls) {}

  /**
   * Files in PEM.
   *
   * @param clients authorities of clients, who must show a certificate then
   */
  public record Certificates(Path certificate, Path key, Optional<Path> clients) {}

  /**
   * Begins to listen.
   *
   * @throws IllegalArgumentException when a certificate cannot be used
   */
  public RpcServer(GatewayCore core, Options options) throws IOException {
    Seams seams = core.seams();
    ServerCredentials credentials = credentials(options.tls());
    this.workers = new Workers(seams, "grpc", options.threads(), WAITING);
    Calls calls = new Calls(core, workers);
    this.scans = new OpenScans(seams, calls, options.scans(), options.patience());
    this.connections = new Connected(options.connections().most());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(options.address(), credentials)
            .channelFactory(connections::listener)
            .bossEventLoopGroup(connections.taking())
            .workerEventLoopGroup(connections.serving())
            .directExecutor()
            .maxInboundMessageSize(options.message())
            .maxInboundMetadataSize(HEADERS)
            .maxConcurrentCallsPerConnection(options.connections().calls())
            .maxRstFramesPerWindow(1000, 10)
            .handshakeTimeout(10, TimeUnit.SECONDS)
            .maxConnectionIdle(10, TimeUnit.MINUTES)
            .keepAliveTime(1, TimeUnit.MINUTES)
            .keepAliveTimeout(20, TimeUnit.SECONDS)
            .permitKeepAliveTime(10, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(health.getHealthService())
            .addService(ProtoReflectionServiceV1.newInstance());
    core.metrics()
        .watch(
            "braid.gateway.scans.open",
            "Scans whose rows are on their way.",
            scans,
            OpenScans::count);
    core.metrics()
        .watch(
            "braid.gateway.grpc.connections",
            "Connections for gRPC.",
            connections,
            Connected::count);
    core.metrics()
        .watchCount(
            "braid.gateway.grpc.connections.refused",
            "Connections for gRPC that were one too many.",
            connections,
            Connected::refused);
    Guard guard = new Guard(core);
    services(core, calls)
        .forEach(
            each ->
                builder.addService(
                    // Messages are read within the interceptor, which knows what to say of a broken
                    // one.
                    ServerInterceptors.intercept(
                        ServerInterceptors.useInputStreamMessages(each), guard)));
    try {
      this.server = builder.build().start();
    } catch (IOException | RuntimeException e) {
      connections.close();
      scans.close();
      workers.close();
      throw e;
    }
  }

  private List<ServerServiceDefinition> services(GatewayCore core, Calls calls) {
    int most = core.api().bounds().operations();
    Messages messages = new Messages(most, core.api().bounds().page());
    return List.of(
        new TransactionService(calls, core.api().transactions(), messages).bindService(),
        new RowService(calls, core.api().rows(), scans, most).bindService(),
        new FastService(calls, core.api().rows()).bindService(),
        new StoreService(calls, new StoreCalls(core.seams(), core.stores())).bindService(),
        Routed.bind(new GroupService(calls, core.api(), messages).bindService(), calls, core.api()),
        Routed.bind(new JobsGrpc.JobsImplBase() {}.bindService(), calls, core.api()),
        Routed.bind(new AdminGrpc.AdminImplBase() {}.bindService(), calls, core.api()));
  }

  private static ServerCredentials credentials(Optional<Certificates> tls) {
    if (tls.isEmpty()) {
      return InsecureServerCredentials.create();
    }
    Certificates files = tls.get();
    try {
      TlsServerCredentials.Builder builder =
          TlsServerCredentials.newBuilder()
              .keyManager(files.certificate().toFile(), files.key().toFile());
      if (files.clients().isPresent()) {
        builder
            .trustManager(files.clients().get().toFile())
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "No TLS with certificate "
              + files.certificate()
              + " and key "
              + files.key()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getListenSockets().get(0);
  }

  /** Tells who asks for its health that this node is ending. */
  public void beginDrain() {
    health.enterTerminalState();
  }

  /**
   * Takes no more calls, and waits for those that run.
   *
   * @return whether all ended in time
   */
  public boolean drain(Duration most) {
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

  @Override
  public void close() {
    beginDrain();
    scans.close();
    server.shutdownNow();
    await(END);
    connections.close();
    workers.close();
  }
}
