package io.braid.gateway.rpc;

import io.braid.core.net.Tls;
import io.braid.core.runtime.Seams;
import io.braid.gateway.CallAdmission;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpCall;
import io.braid.http.HttpEndpoint;
import io.braid.http.HttpRefusal;
import io.braid.http.Workers;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.StoreCalls;
import io.braid.serving.net.StoreRoutes;
import io.braid.serving.net.TupleCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Listens for gRPC where nothing but stores is served: the services {@code Stores} and {@code
 * Tuples} of {@code braid.v1}, within the bounds of {@link RpcServer}. Every client that can reach
 * the port may read, as over HTTP. Changes need the node's token, or, if the node has none, must
 * come from this machine.
 */
public final class StoreRpcServer implements AutoCloseable {
  private static final int WAITING = 1024;
  private static final int MESSAGE = 16 << 20;
  private static final int CALLS = 128;

  private final Workers workers;
  private final RpcServices services;
  private final HttpEndpoint endpoint;

  /**
   * Files in PEM.
   *
   * @param clients authorities of clients; if set, clients must show a certificate
   */
  public record Certificates(Path certificate, Path key, Optional<Path> clients) {}

  /**
   * Where to listen, and the condition for changes.
   *
   * @param token that changes carry as {@code authorization: Bearer TOKEN}; empty: changes are
   *     taken from this machine only
   * @param threads how many calls are answered at a time
   */
  public record Options(
      InetSocketAddress address, Optional<Certificates> tls, String token, int threads) {}

  /**
   * Begins to listen.
   *
   * @throws IllegalArgumentException when a certificate cannot be used
   */
  public StoreRpcServer(Seams seams, NodeService service, TupleCalls tuples, Options options)
      throws IOException {
    HttpEndpoint.Options http =
        new HttpEndpoint.Options(
            options.address(),
            1,
            options
                .tls()
                .map(tls -> Tls.context(tls.certificate(), tls.key(), tls.clients()))
                .orElse(null),
            options.tls().flatMap(Certificates::clients).isPresent(),
            MESSAGE,
            CALLS,
            HttpEndpoint.LONGEST,
            Optional.empty());
    this.workers = new Workers(seams, "grpc", AnswerMemory.atATime(options.threads()), WAITING);
    CallAdmission admission = new StoreCallAdmission(seams, options.token());
    Calls calls = new Calls(admission, workers);
    this.services =
        new RpcServices(
            MESSAGE,
            () -> true,
            new Guard(admission),
            List.of(
                new StoreService(calls, new StoreCalls(seams, service)).bindService(),
                new TupleService(calls, tuples).bindService()));
    try {
      this.endpoint =
          new HttpEndpoint(
              seams, http, StoreRpcServer::nothing, StoreRoutes::refusal, services.all());
    } catch (IOException | RuntimeException e) {
      workers.close();
      throw e;
    }
  }

  private static void nothing(HttpCall call) {
    throw new HttpRefusal(404, "no such address", "At this port gRPC is served, and nothing else.");
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return endpoint.address();
  }

  @Override
  public void close() {
    services.beginDrain();
    endpoint.close();
    workers.close();
  }
}
