package io.braid.cli.cluster;

import io.braid.cli.command.UsageException;
import io.braid.core.runtime.Seams;
import io.braid.gateway.rpc.StoreRpcServer;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.TupleCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether, where and how a node of stores speaks gRPC. */
final class GrpcOptions {
  private static final int THREADS = 16;

  @Option(
      names = "--grpc",
      paramLabel = "PORT",
      description = "Speak gRPC as well; 0: at any free port (default: not at all).")
  @Nullable Integer port;

  @Option(
      names = "--grpc-certificate",
      paramLabel = "FILE",
      description = "TLS for gRPC: the certificate of this node, in PEM.")
  @Nullable Path certificate;

  @Option(
      names = "--grpc-key",
      paramLabel = "FILE",
      description = "The key of that certificate, in PEM (PKCS 8).")
  @Nullable Path key;

  @Option(
      names = "--grpc-clients",
      paramLabel = "FILE",
      description =
          "Authorities, in PEM, that vouch for clients, who must show a certificate then.")
  @Nullable Path clients;

  /**
   * The way in, if there is one.
   *
   * @param server none: nothing listens
   */
  record Face(Optional<StoreRpcServer> server) implements AutoCloseable {
    Optional<InetSocketAddress> address() {
      return server.map(StoreRpcServer::address);
    }

    @Override
    public void close() {
      server.ifPresent(StoreRpcServer::close);
    }
  }

  /** Refuses options that do not fit each other, before anything is opened. */
  void check() {
    if (port == null && (certificate != null || key != null || clients != null)) {
      throw new UsageException("Say with --grpc at which port to use the certificate.");
    }
    if ((certificate == null) != (key == null)) {
      throw new UsageException("A certificate needs its key: --grpc-certificate and --grpc-key.");
    }
    if (clients != null && certificate == null) {
      throw new UsageException("Clients show certificates over TLS only: --grpc-certificate.");
    }
  }

  /** Begins to listen. */
  Face open(Seams seams, NodeService service, TupleCalls tuples, String bind, String token)
      throws IOException {
    if (port == null) {
      return new Face(Optional.empty());
    }
    Optional<StoreRpcServer.Certificates> tls =
        certificate == null || key == null
            ? Optional.empty()
            : Optional.of(
                new StoreRpcServer.Certificates(certificate, key, Optional.ofNullable(clients)));
    InetSocketAddress address = new InetSocketAddress(bind, port);
    return new Face(
        Optional.of(
            new StoreRpcServer(
                seams, service, tuples, new StoreRpcServer.Options(address, tls, token, THREADS))));
  }
}
