package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.ListTablesRequest;
import io.braid.testkit.Certificates;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: without a known certificate nobody is served; plain text on such a port is cut off. */
class TlsTest {
  @TempDir Path dir;

  private static HttpClient client(KeyStore trusted, KeyStore own) throws Exception {
    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    authorities.setCertificateEntry("server", trusted.getCertificate(Certificates.ALIAS));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, Certificates.password());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static int status(HttpClient client, TestNode node) throws Exception {
    return client
        .send(HttpRequest.newBuilder(node.uri("/v1/tables")).build(), BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void onlyKnownCertificatesAreServed() throws Exception {
    KeyStore server = Certificates.make(dir, "server");
    KeyStore alice = Certificates.make(dir, "alice");
    KeyStore mallory = Certificates.make(dir, "mallory");
    Files.copy(dir.resolve("alice.crt"), dir.resolve("clients.pem"));
    Files.write(dir.resolve("identities"), List.of("alice certificate:CN=alice read:*"));
    try (TestNode node =
        TestNode.start(
            dir,
            "server.tls-certificate",
            dir.resolve("server.crt").toString(),
            "server.tls-key",
            dir.resolve("server.key").toString(),
            "server.tls-clients",
            dir.resolve("clients.pem").toString(),
            "server.identities",
            dir.resolve("identities").toString())) {
      assertThat(node.node().url()).startsWith("https://");
      assertThat(status(client(server, alice), node)).isEqualTo(200);
      HttpClient unknown = client(server, mallory);
      assertThatThrownBy(() -> status(unknown, node)).isInstanceOf(IOException.class);
      try (Socket plain = new Socket("127.0.0.1", node.uri("/").getPort())) {
        plain.setSoTimeout(10_000);
        plain
            .getOutputStream()
            .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        String answer =
            new String(plain.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(answer).doesNotContain("200", "Braid");
      } catch (SocketException e) {
        // Cut off.
      }
      assertThat(status(client(server, alice), node)).isEqualTo(200);
      assertThat(tables("alice", node)).isEqualTo(Status.Code.OK);
      assertThat(tables("mallory", node)).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(tables("", node)).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  /** What a call over gRPC comes to. */
  private Status.Code tables(String name, TestNode node) throws IOException {
    TlsChannelCredentials.Builder tls =
        TlsChannelCredentials.newBuilder().trustManager(dir.resolve("server.crt").toFile());
    if (!name.isEmpty()) {
      tls.keyManager(dir.resolve(name + ".crt").toFile(), dir.resolve(name + ".key").toFile());
    }
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                "127.0.0.1", node.node().grpc().orElseThrow().getPort(), tls.build())
            .build();
    try {
      AdminGrpc.newBlockingStub(channel).listTables(ListTablesRequest.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    } finally {
      channel.shutdownNow();
    }
  }
}
