package io.braid.gateway.rpc;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;

/**
 * The certificates of a port for gRPC, which can be replaced while it listens: new connections are
 * made with the newest ones, open ones go on with theirs. Sessions of older ones are not resumed.
 */
final class LiveCertificates extends SslContext {
  private final RpcServer.Certificates files;
  private volatile SslContext current;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException when they cannot be used
   */
  LiveCertificates(RpcServer.Certificates files) {
    this.files = files;
    this.current = read();
  }

  /**
   * Reads the files again.
   *
   * @return brings them into force
   * @throws IllegalArgumentException when they cannot be used
   */
  Runnable reread() {
    SslContext next = read();
    return () -> current = next;
  }

  private SslContext read() {
    try {
      SslContextBuilder builder =
          GrpcSslContexts.forServer(files.certificate().toFile(), files.key().toFile());
      if (files.clients().isPresent()) {
        builder.trustManager(files.clients().get().toFile()).clientAuth(ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
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

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return current.cipherSuites();
  }

  @Override
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return current.applicationProtocolNegotiator();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator memory) {
    return current.newEngine(memory);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator memory, String host, int port) {
    return current.newEngine(memory, host, port);
  }

  @Override
  public SSLSessionContext sessionContext() {
    return current.sessionContext();
  }
}
