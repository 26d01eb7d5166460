package io.braid.gateway.rpc;

import io.braid.core.runtime.Seams;
import io.braid.gateway.CallAdmission;
import io.braid.http.AnswerMemory;
import io.braid.http.Workers;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.StoreCalls;
import io.braid.serving.net.TupleCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
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
  private static final RpcServer.Connections CONNECTIONS = new RpcServer.Connections(1024, 128);

  private final Workers workers;
  private final RpcListener listener;

  /**
   * Where to listen, and the condition for changes.
   *
   * @param token that changes carry as {@code authorization: Bearer TOKEN}; empty: changes are
   *     taken from this machine only
   * @param threads how many calls are answered at a time
   */
  public record Options(
      InetSocketAddress address, Optional<RpcServer.Certificates> tls, String token, int threads) {}

  /**
   * Begins to listen.
   *
   * @throws IllegalArgumentException when a certificate cannot be used
   */
  public StoreRpcServer(Seams seams, NodeService service, TupleCalls tuples, Options options)
      throws IOException {
    this.workers = new Workers(seams, "grpc", AnswerMemory.atATime(options.threads()), WAITING);
    CallAdmission admission = new StoreCallAdmission(seams, options.token());
    Calls calls = new Calls(admission, workers);
    try {
      this.listener =
          new RpcListener(
              new RpcListener.Bounds(
                  options.address(),
                  options.tls(),
                  MESSAGE,
                  CONNECTIONS,
                  UnreadReplies.Bounds.ofMemory()),
              () -> true,
              new Guard(admission),
              List.of(
                  new StoreService(calls, new StoreCalls(seams, service)).bindService(),
                  new TupleService(calls, tuples).bindService()));
    } catch (IOException | RuntimeException e) {
      workers.close();
      throw e;
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return listener.address();
  }

  @Override
  public void close() {
    listener.close();
    workers.close();
  }
}
