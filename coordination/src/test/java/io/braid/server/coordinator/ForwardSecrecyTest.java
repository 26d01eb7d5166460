package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.net.Tls;
import io.braid.testkit.Certificates;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: what is recorded today cannot be read with a key that is stolen tomorrow. */
class ForwardSecrecyTest {
  @TempDir Path dir;

  @Test
  void onlySuitesWithForwardSecrecyAndAuthenticatedEncryptionAreSpoken() throws Exception {
    Certificates.make(dir, "own");
    Path certificate = dir.resolve("own.crt");
    SSLContext context = Tls.context(certificate, dir.resolve("own.key"), Optional.of(certificate));
    try (ServerSocket server = new ServerSocket(0, 4, InetAddress.getLoopbackAddress())) {
      for (String good :
          new String[] {"TLS_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"}) {
        assertThat(speak(server, context, good)).isEqualTo(good);
      }
      assertThatThrownBy(() -> speak(server, context, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"))
          .isInstanceOf(SSLException.class);
    }
  }

  private static String speak(ServerSocket server, SSLContext context, String suite)
      throws Exception {
    CompletableFuture<Void> admitting =
        CompletableFuture.runAsync(
            () -> {
              try (Socket plain = server.accept();
                  SSLSocket admitted = Tls.admit(context, plain)) {
                admitted.getInputStream().read();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    try (SSLSocket client =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.getLocalPort())) {
      client.setEnabledCipherSuites(new String[] {suite});
      client.startHandshake();
      client.getOutputStream().write(1);
      return client.getSession().getCipherSuite();
    } finally {
      admitting.handle((done, failed) -> done).join();
    }
  }
}
