package io.braid.gateway.rpc;

import com.linecorp.armeria.server.grpc.GrpcService;
import io.braid.core.runtime.Seams;
import io.braid.gateway.GatewayCore;
import io.braid.http.AnswerMemory;
import io.braid.http.Workers;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.serving.net.StoreCalls;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.List;

/**
 * A node over gRPC: services for its endpoint of HTTP. Calls are taken by the threads of the
 * network and answered by a bounded pool.
 */
public final class RpcServer implements AutoCloseable {
  private static final int WAITING = 1024;

  private final Workers workers;
  private final OpenScans scans;
  private final RpcServices services;

  /**
   * How much goes on at a time.
   *
   * @param threads how many calls are answered at a time
   * @param message bytes of one at most
   * @param scans how many scans are streamed at a time
   * @param patience with callers that take no rows
   */
  public record Options(int threads, int message, int scans, Duration patience) {}

  public RpcServer(GatewayCore core, Options options) {
    Seams seams = core.seams();
    this.workers = new Workers(seams, "grpc", AnswerMemory.atATime(options.threads()), WAITING);
    Calls calls = new Calls(core, workers);
    this.scans = new OpenScans(seams, calls, options.scans(), options.patience());
    this.services =
        new RpcServices(options.message(), core::ready, new Guard(core), services(core, calls));
    core.metrics()
        .watch(
            "braid.gateway.scans.open",
            "Scans whose rows are on their way.",
            scans,
            OpenScans::count);
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

  /** The services, for an endpoint. */
  public List<GrpcService> services() {
    return services.all();
  }

  /** Tells health checks that this node is ending. */
  public void beginDrain() {
    services.beginDrain();
  }

  @Override
  public void close() {
    beginDrain();
    scans.close();
    workers.close();
  }
}
