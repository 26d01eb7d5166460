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
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is changed on the disk takes effect in a node that runs; what is broken does not. */
class LiveFilesTest {
  @TempDir Path dir;

  /** Each time later than before, as if time had passed. */
  private long changes;

  /** A connection for HTTP that stays open. */
  private static final class Connection implements AutoCloseable {
    private final SSLSocket socket;
    private final BufferedReader in;

    private Connection(SSLContext context, TestNode node) throws IOException {
      socket =
          (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", node.uri("/").getPort());
      socket.setSoTimeout(10_000);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /**
     * What stands in the body.
     *
     * @throws IOException when the connection has been cut off, with an alert or without
     */
    private String get(String path) throws IOException {
      String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      char[] body = new char[length];
      int read = in.read(body);
      return read < 0 ? "" : new String(body, 0, read);
    }

    private String line() throws IOException {
      String line = in.readLine();
      if (line == null) {
        throw new EOFException("cut off");
      }
      return line;
    }

    /** Whose certificate the node has shown. */
    private String node() throws IOException {
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private void put(String from, String to) throws IOException {
    Files.copy(dir.resolve(from), dir.resolve(to), StandardCopyOption.REPLACE_EXISTING);
    touch(to);
  }

  private void write(String to, String text) throws IOException {
    Files.writeString(dir.resolve(to), text);
    touch(to);
  }

  private void touch(String file) throws IOException {
    Files.setLastModifiedTime(dir.resolve(file), FileTime.fromMillis(++changes * 10_000));
  }

  private TestNode secure(String... more) throws IOException {
    put("first.crt", "node.crt");
    put("first.key", "node.key");
    String[] settings = new String[4 + more.length];
    settings[0] = "server.tls-certificate";
    settings[1] = dir.resolve("node.crt").toString();
    settings[2] = "server.tls-key";
    settings[3] = dir.resolve("node.key").toString();
    System.arraycopy(more, 0, settings, 4, more.length);
    return TestNode.start(dir, settings);
  }

  private static SSLContext client(KeyStore own, KeyStore... trusted) throws Exception {
    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    for (KeyStore each : trusted) {
      authorities.setCertificateEntry(
          "node-" + authorities.size(), each.getCertificate(Certificates.ALIAS));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, Certificates.password());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private ManagedChannel channel(TestNode node, String trusted, String own) throws IOException {
    return Grpc.newChannelBuilderForAddress(
            "127.0.0.1",
            node.node().grpc().orElseThrow().getPort(),
            TlsChannelCredentials.newBuilder()
                .trustManager(dir.resolve(trusted + ".crt").toFile())
                .keyManager(dir.resolve(own + ".crt").toFile(), dir.resolve(own + ".key").toFile())
                .build())
        .build();
  }

  private static Status.Code call(ManagedChannel channel) {
    try {
      AdminGrpc.newBlockingStub(channel).listTables(ListTablesRequest.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private Status.Code callAnew(TestNode node, String trusted, String own) throws IOException {
    ManagedChannel channel = channel(node, trusted, own);
    try {
      return call(channel);
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void newConnectionsMeetTheNewestCertificateAndOpenOnesGoOn() throws Exception {
    KeyStore first = Certificates.make(dir, "first");
    KeyStore second = Certificates.make(dir, "second");
    SSLContext client = client(first, first, second);
    try (TestNode node = secure();
        Connection open = new Connection(client, node)) {
      ManagedChannel channel = channel(node, "first", "first");
      try {
        assertThat(open.get("/livez")).contains("true");
        assertThat(open.node()).isEqualTo("CN=first");
        assertThat(call(channel)).isEqualTo(Status.Code.OK);

        put("second.crt", "node.crt");
        node.node().reread();
        assertThat(open.get("/readyz")).contains("\"ready\":true", "certificates");
        assertThat(open.get("/metrics")).contains("braid_gateway_files_broken 1.0");
        try (Connection between = new Connection(client, node)) {
          assertThat(between.get("/livez")).contains("true");
          assertThat(between.node()).isEqualTo("CN=first");
        }
        assertThat(callAnew(node, "first", "first")).isEqualTo(Status.Code.OK);

        put("second.key", "node.key");
        node.node().reread();
        try (Connection next = new Connection(client, node)) {
          assertThat(next.get("/readyz")).contains("\"ready\":true").doesNotContain("certificates");
          assertThat(next.node()).isEqualTo("CN=second");
        }
        assertThat(callAnew(node, "second", "first")).isEqualTo(Status.Code.OK);
        assertThat(callAnew(node, "first", "first")).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(open.get("/livez")).contains("true");
        assertThat(call(channel)).isEqualTo(Status.Code.OK);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /** Fault 57: not by a session either that was begun when the authority was still trusted. */
  @Test
  void whoIsNotTrustedAnyMoreDoesNotComeInAgain() throws Exception {
    KeyStore first = Certificates.make(dir, "first");
    KeyStore alice = Certificates.make(dir, "alice");
    KeyStore bob = Certificates.make(dir, "bob");
    put("alice.crt", "clients.pem");
    SSLContext ofAlice = client(alice, first);
    try (TestNode node = secure("server.tls-clients", dir.resolve("clients.pem").toString())) {
      for (int i = 0; i < 2; i++) {
        try (Connection in = new Connection(ofAlice, node)) {
          assertThat(in.get("/livez")).contains("true");
        }
      }
      assertThat(callAnew(node, "first", "alice")).isEqualTo(Status.Code.OK);

      put("bob.crt", "clients.pem");
      node.node().reread();
      assertThatThrownBy(
              () -> {
                try (Connection in = new Connection(ofAlice, node)) {
                  in.get("/livez");
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(callAnew(node, "first", "alice")).isEqualTo(Status.Code.UNAVAILABLE);
      try (Connection in = new Connection(client(bob, first), node)) {
        assertThat(in.get("/livez")).contains("true");
      }
      assertThat(callAnew(node, "first", "bob")).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void limitsOfTheConfigurationFileTakeEffect() throws Exception {
    write("braid.conf", "server.transactions-each = 1\n");
    try (TestNode node = TestNode.start(Optional.of(dir.resolve("braid.conf")), dir)) {
      assertThat(node.post("/v1/transactions", "{}").status()).isEqualTo(200);
      assertThat(node.post("/v1/transactions", "{}").status()).isEqualTo(429);

      write("braid.conf", "server.transactions-each = many\n");
      node.node().reread();
      assertThat(node.get("/readyz").status()).isEqualTo(200);
      assertThat(node.get("/readyz").text()).contains("limits");
      assertThat(node.post("/v1/transactions", "{}").status()).isEqualTo(429);

      write("braid.conf", "server.transactions-each = 2\nserver.lease = 10 s\n");
      node.node().reread();
      assertThat(node.get("/readyz").json().path("message").asText()).isEmpty();
      assertThat(node.post("/v1/transactions", "{}").status()).isEqualTo(200);
      assertThat(node.post("/v1/transactions", "{}").status()).isEqualTo(429);

      write("braid.conf", "server.requests-each = 1/s\n");
      node.node().reread();
      int asked = 0;
      while (node.get("/v1/tables").status() != 429) {
        assertThat(++asked).isLessThan(50);
      }
    }
  }

  @Test
  void brokenIdentitiesChangeNothingAndAreNamed() throws Exception {
    write("identities", "root sha256:" + "0".repeat(64) + " admin:*\n");
    try (TestNode node =
        TestNode.start(dir, "server.identities", dir.resolve("identities").toString())) {
      write("identities", "root may do everything\n");
      node.node().reread();
      assertThat(node.get("/readyz").text()).contains("\"ready\":true", "identities");
      assertThat(node.get("/v1/tables").status()).isEqualTo(401);
      Files.delete(dir.resolve("identities"));
      node.node().reread();
      assertThat(node.get("/readyz").text()).contains("identities");
      write("identities", "root sha256:" + "0".repeat(64) + " read:*\n");
      node.node().reread();
      assertThat(node.get("/readyz").text()).doesNotContain("identities");
    }
  }
}
