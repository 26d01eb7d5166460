package io.braid.gateway.rpc;

import io.braid.core.runtime.Seams;
import io.braid.gateway.GatewayCore;
import io.braid.http.AnswerMemory;
import io.braid.http.Workers;
import io.braid.rpc.listen.OpenConnections;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.serving.net.StoreCalls;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Listens for gRPC. Calls are taken by the threads of the network and answered by a bounded pool;
 * connections, messages, headers, calls of a connection and silence are bounded.
 */
public final class RpcServer implements AutoCloseable {
  private static final int WAITING = 1024;

  private final Workers workers;
  private final OpenScans scans;
  private final RpcListener listener;

  /**
   * Where and how to listen.
   *
   * @param threads how many calls are answered at a time
   * @param message bytes of one at most
   * @param scans how many scans are streamed at a time
   * @param patience with callers that take no rows
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
   * @param clients authorities of clients; if set, clients must show a certificate
   */
  public record Certificates(Path certificate, Path key, Optional<Path> clients) {}

  /**
   * Begins to listen.
   *
   * @throws IllegalArgumentException when a certificate cannot be used
   */
  public RpcServer(GatewayCore core, Options options) throws IOException {
    Seams seams = core.seams();
    this.workers = new Workers(seams, "grpc", AnswerMemory.atATime(options.threads()), WAITING);
    Calls calls = new Calls(core, workers);
    this.scans = new OpenScans(seams, calls, options.scans(), options.patience());
    RpcListener.Bounds bounds =
        new RpcListener.Bounds(
            options.address(),
            options.tls(),
            options.message(),
            options.connections(),
            UnreadReplies.Bounds.ofMemory());
    try {
      this.listener = new RpcListener(bounds, core::ready, new Guard(core), services(core, calls));
    } catch (IOException | RuntimeException e) {
      scans.close();
      workers.close();
      throw e;
    }
    OpenConnections connections = listener.connections();
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
            OpenConnections::count);
    core.metrics()
        .watchCount(
            "braid.gateway.grpc.connections.refused",
            "Connections for gRPC that were one too many.",
            connections,
            OpenConnections::refused);
    core.metrics()
        .watch(
            "braid.gateway.grpc.answers.untaken",
            "Bytes of answers over gRPC that their callers have not taken.",
            listener.untaken(),
            UnreadReplies::bytes);
    core.metrics()
        .watchCount(
            "braid.gateway.grpc.connections.cut",
            "Connections for gRPC that were cut off since they took no answers.",
            listener.untaken(),
            UnreadReplies::cutOff);
  }

  private List<ServerServiceDefinition> services(GatewayCore core, Calls calls) {
    int most = core.api().bounds().operations();
    Messages messages = new Messages(most, core.api().bounds().page());
    return List.of(
        new TransactionService(calls, core.api().transactions(), messages).bindService(),
        new RowService(calls, core.api().rows(), scans, most).bindService(),
        new FastService(calls, core.api().rows()).bindService(),
        new StoreService(calls, new StoreCalls(core.seams(), core.stores())).bindService(),
        RoutedMethods.bind(
            new GroupService(calls, core.api(), messages).bindService(), calls, core.api()),
        RoutedMethods.bind(new JobsGrpc.JobsImplBase() {}.bindService(), calls, core.api()),
        RoutedMethods.bind(new AdminGrpc.AdminImplBase() {}.bindService(), calls, core.api()));
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return listener.address();
  }

  /**
   * Reads the certificates again.
   *
   * @return brings them into force, for connections that are made then
   * @throws IllegalArgumentException when they cannot be used; nothing has changed then
   */
  public Runnable rereadCertificates() {
    return listener.rereadCertificates();
  }

  /** Tells health checks that this node is ending. */
  public void beginDrain() {
    listener.beginDrain();
  }

  /**
   * Takes no more calls, and waits for those that run.
   *
   * @return whether all ended in time
   */
  public boolean drain(Duration most) {
    return listener.drain(most);
  }

  @Override
  public void close() {
    beginDrain();
    scans.close();
    listener.close();
    workers.close();
  }
}
