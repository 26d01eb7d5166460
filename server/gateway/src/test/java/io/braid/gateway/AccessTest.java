package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.ConfigurationException;
import io.braid.gateway.access.Identities;
import io.braid.gateway.node.NodeConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: who may do what. */
class AccessTest {
  @TempDir Path dir;

  private Path identities(String... lines) throws IOException {
    return Files.write(dir.resolve("identities"), List.of(lines));
  }

  private static String line(String name, String token, String grants) {
    return name + " sha256:" + Identities.hash(token) + " " + grants;
  }

  @Test
  void rolesAreCheckedForEachTableAndRefusalsAreNoted() throws Exception {
    Path file =
        identities(
            line("root", "root-token", "admin:*"),
            line("loader", "loader-token", "write:accounts,read:web.*"),
            line("reader", "reader-token", "read:accounts"));
    Path log = dir.resolve("audit");
    try (TestNode node =
        TestNode.start(dir, "server.identities", file.toString(), "server.audit", log.toString())) {
      TestNode root = node.as("root-token");
      TestNode loader = node.as("loader-token");
      TestNode reader = node.as("reader-token");
      String script =
          "{'operations':[{'op':'set','table':'accounts','row':'r',"
              + "'columns':{'f:q':'hidden value'}}]}";
      assertThat(node.get("/v1/tables").status()).isEqualTo(401);
      assertThat(node.as("wrong").get("/v1/tables").status()).isEqualTo(401);
      assertThat(node.get("/livez").status()).isEqualTo(200);
      assertThat(node.get("/metrics").status()).isEqualTo(401);
      assertThat(reader.get("/metrics").status()).isEqualTo(403);
      assertThat(reader.ask("DELETE", "/v1/requests/a-name-of-mine", "").status()).isEqualTo(403);
      assertThat(loader.get("/v1/outcomes/895512345600-AQRhY2N0A2JvYgNiYWwDdXNk").status())
          .isEqualTo(403);
      assertThat(loader.put("/v1/tables/accounts", "{'families':['f']}").status()).isEqualTo(403);
      assertThat(root.put("/v1/tables/accounts", "{'families':['f']}").status()).isEqualTo(200);
      assertThat(root.put("/v1/tables/other", "{'families':['f']}").status()).isEqualTo(200);
      assertThat(loader.post("/v1/transactions/run", script).status()).isEqualTo(200);
      assertThat(reader.post("/v1/transactions/run", script).text())
          .contains("needs the role write on accounts");
      assertThat(loader.post("/v1/transactions/run", script.replace("accounts", "other")).status())
          .isEqualTo(403);
      assertThat(reader.get("/v1/tables/accounts/rows/r").status()).isEqualTo(200);
      assertThat(reader.get("/v1/tables/other/rows/r").status()).isEqualTo(403);
      assertThat(reader.get("/v1/tables").json().path("tables")).hasSize(1);
      assertThat(reader.post("/v1/gc", "").status()).isEqualTo(403);
      assertThat(reader.post("/stores/people/swap", "{}").status()).isEqualTo(403);
      assertThat(root.post("/stores/people/swap", "{'version':1}").status()).isEqualTo(409);
      String open = loader.post("/v1/transactions", "{}").json().path("transaction").asText();
      assertThat(reader.post("/v1/transactions/" + open + "/commit", "{}").status()).isEqualTo(404);
      // Three who were not known, nine who were not allowed.
      assertThat(root.get("/metrics").text())
          .containsPattern("(?m)^braid_gateway_refused_total 12(\\.0)?$");
      String noted = Files.readString(log);
      assertThat(noted.lines().filter(line -> line.contains("/v1/transactions/run")))
          .satisfiesExactly(
              done ->
                  assertThat(done)
                      .contains("\"loader\"", "\"needs\":[\"write:accounts\"]", "\"status\":200"),
              refused ->
                  assertThat(refused)
                      .contains("\"reader\"", "\"needs\":[\"write:accounts\"]", "\"status\":403"),
              refused ->
                  assertThat(refused)
                      .contains("\"loader\"", "\"needs\":[\"write:other\"]", "\"status\":403"));
      assertThat(noted)
          .contains("\"identity\":\"loader\"", "/v1/tables/accounts", "\"status\":403")
          .doesNotContain("token", "hidden value");
    }
  }

  @Test
  void identitiesAreReadAgainWhenTheyChange() throws Exception {
    Path file = identities(line("root", "old-token", "admin:*"));
    try (TestNode node = TestNode.start(dir, "server.identities", file.toString())) {
      assertThat(node.as("old-token").get("/v1/tables").status()).isEqualTo(200);
      identities(line("root", "new-token", "admin:*"));
      Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
      while (node.as("new-token").get("/v1/tables").status() != 200) {
        Thread.sleep(50);
      }
      assertThat(node.as("old-token").get("/v1/tables").status()).isEqualTo(401);
    }
  }

  /** A page of another origin, or a name that was bound to this address, gets nothing. */
  @Test
  void foreignPagesAndForeignNamesAreRefused() throws Exception {
    try (TestNode node = TestNode.start(dir)) {
      assertThat(node.ask("GET", "/v1/tables", "", "Origin", "http://evil.example").status())
          .isEqualTo(403);
      String here = "127.0.0.1:" + node.uri("/").getPort();
      assertThat(node.ask("GET", "/v1/tables", "", "Origin", "http://" + here).status())
          .isEqualTo(200);
      for (String other : List.of("https://" + here, "http://evil." + here, "null")) {
        assertThat(node.ask("GET", "/v1/tables", "", "Origin", other).status()).isEqualTo(403);
      }
      assertThat(raw(node, "GET /v1/tables HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
          .startsWith("HTTP/1.1 403");
      assertThat(raw(node, "GET /v1/tables HTTP/1.1\r\nHost: localhost:1\r\n\r\n"))
          .startsWith("HTTP/1.1 200");
    }
  }

  private static String raw(TestNode node, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node.uri("/").getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readNBytes(12), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void whatOthersCanReachNeedsIdentities() {
    assertThatThrownBy(() -> config("server.listen", "0.0.0.0:7800"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("braid server init-security")
        .hasMessageContaining("server.insecure = on");
    assertThatThrownBy(
            () ->
                NodeConfig.load(
                    Optional.empty(),
                    Map.of("server.listen", "0.0.0.0:7800", "server.identities", "file")))
        .as("tokens that can be read on the way")
        .hasMessageContaining("server.tls-certificate");
    assertThat(
            NodeConfig.load(
                    Optional.empty(),
                    Map.of("server.listen", "0.0.0.0:7800", "server.insecure", "on"))
                .exposed())
        .hasValueSatisfying(each -> assertThat(each).contains("everybody who reaches"));
    assertThat(NodeConfig.load(Optional.empty(), Map.of("server.insecure", "on")).exposed())
        .isEmpty();
    assertThatThrownBy(() -> config("server.redis", "0.0.0.0:7802"))
        .hasMessageContaining("server.insecure = on");
    assertThatThrownBy(() -> config("server.lisen", "x"))
        .hasMessageContaining("There is no setting 'server.lisen'. Did you mean 'server.listen'?");
    assertThatThrownBy(() -> config("commit.durabilty", "x"))
        .hasMessageContaining("Did you mean 'commit.durability'?");
    assertThatThrownBy(() -> config("server.tls-key", "x")).hasMessageContaining("needs both");
    assertThatThrownBy(() -> config("server.body", "8")).hasMessageContaining("64 MiB");
    assertThatThrownBy(() -> config("server.workers", "maybe")).hasMessageContaining("on or off");
    assertThat(NodeConfig.load(Optional.empty(), Map.of()).values())
        .contains(new NodeConfig.Value("server.listen", "127.0.0.1:7800", "default"));
  }

  private static void config(String key, String value) {
    NodeConfig.load(Optional.empty(), Map.of(key, value));
  }

  @Test
  void wrongIdentitiesAreRefusedWithTheLineAndWithoutWhatStandsThere() throws IOException {
    Path file = identities("# remark", "root sha256:secret admin:*");
    assertThatThrownBy(() -> Identities.read(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("line 2")
        .hasMessageNotContaining("secret");
    Path grants = identities(line("root", "t", "owner:*"));
    assertThatThrownBy(() -> Identities.read(grants)).hasMessageContaining("is no grant");
  }
}
