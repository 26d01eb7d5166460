package io.braid.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.CommandRun;
import io.braid.core.net.Tls;
import io.braid.gateway.access.Identities;
import io.braid.gateway.access.Role;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: what one command makes is enough for a server that knows its callers, and no more. */
class InitSecurityCommandTest {
  @TempDir Path dir;

  @Test
  void aServerWithWhatIsMadeKnowsItsClientsByTokenAndByCertificate() throws Exception {
    Path folder = dir.resolve("security");
    CommandRun made =
        CommandRun.of(
            "server init-security " + folder + " --client admin=admin:* --client eve=read:x");
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.filter(f -> f.toString().matches(".*\\.(key|token)")).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
            .as(each.toString())
            .isEqualTo("rw-------");
      }
    }
    NodeConfig config =
        NodeConfig.load(
            Optional.of(folder.resolve("braid.conf")),
            Map.of(
                "server.data",
                dir.resolve("data").toString(),
                "server.listen",
                "127.0.0.1:0",
                "server.grpc",
                "off",
                "server.tls-clients",
                folder.resolve("ca.crt").toString()));
    try (ServerNode node = new ServerNode(config)) {
      String admin = Files.readString(folder.resolve("admin.token")).strip();
      String eve = Files.readString(folder.resolve("eve.token")).strip();
      assertThat(ask(folder, node, "eve", "Bearer " + admin, "/metrics")).isEqualTo(200);
      assertThat(ask(folder, node, "eve", "Bearer " + eve, "/metrics")).isEqualTo(403);
      assertThat(ask(folder, node, "admin", "", "/metrics")).isEqualTo(200);
      assertThat(ask(folder, node, "eve", "", "/metrics")).isEqualTo(403);
    }
  }

  private static int ask(Path folder, ServerNode node, String client, String token, String path)
      throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(node.url() + path));
    if (!token.isEmpty()) {
      request.header("Authorization", token);
    }
    return HttpClient.newBuilder()
        .sslContext(
            Tls.context(
                folder.resolve(client + ".crt"),
                folder.resolve(client + ".key"),
                Optional.of(folder.resolve("ca.crt"))))
        .build()
        .send(request.build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void aSecondCallAddsAndChangesNothingElse() throws Exception {
    Path folder = dir.resolve("security");
    assertThat(CommandRun.of("server init-security " + folder + " --node one").code()).isZero();
    byte[] authority = Files.readAllBytes(folder.resolve("ca.crt"));
    String identities = Files.readString(folder.resolve("identities"));
    assertThat(
            CommandRun.of("server init-security " + folder + " --node two --client eve=read:x")
                .code())
        .isZero();
    assertThat(Files.readAllBytes(folder.resolve("ca.crt"))).isEqualTo(authority);
    assertThat(Files.readString(folder.resolve("identities")))
        .startsWith(identities)
        .contains("eve");
    Tls.context(
        folder.resolve("two.crt"),
        folder.resolve("two.key"),
        Optional.of(folder.resolve("ca.crt")));
    CommandRun again = CommandRun.of("server init-security " + folder + " --node two");
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("'two' has a certificate", "--renew");
    assertThat(CommandRun.of("server init-security " + folder + " --node ../x").code())
        .isEqualTo(2);
    assertThat(CommandRun.of("server init-security " + folder + " --client x=owner:*").code())
        .isEqualTo(2);
  }

  @Test
  void aCallThatWasBrokenOffIsCompletedByTheNext() throws Exception {
    Path folder = dir.resolve("security");
    assertThat(CommandRun.of("server init-security " + folder).code()).isZero();
    for (String lost : List.of("braid.conf", "identities")) {
      Files.delete(folder.resolve(lost));
      CommandRun again = CommandRun.of("server init-security " + folder);
      assertThat(again.code()).as(again.err()).isZero();
      NodeConfig.load(
          Optional.of(folder.resolve("braid.conf")), Map.of("server.listen", "127.0.0.1:0"));
      assertThat(Files.readString(folder.resolve("identities"))).contains("admin sha256:");
    }
    CommandRun wrong = CommandRun.of("server init-security " + folder + " --node 999.1.1.1");
    assertThat(wrong.code()).isEqualTo(2);
  }

  @Test
  void anAuthorityWhoseKeyIsElsewhereIsNotReplaced() throws Exception {
    Path folder = dir.resolve("security");
    assertThat(CommandRun.of("server init-security " + folder).code()).isZero();
    byte[] authority = Files.readAllBytes(folder.resolve("ca.crt"));
    Path elsewhere = Files.move(folder.resolve("ca.key"), dir.resolve("ca.key"));
    CommandRun refused = CommandRun.of("server init-security " + folder + " --client eve=read:x");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("bring ca.key back");
    assertThat(Files.readAllBytes(folder.resolve("ca.crt"))).isEqualTo(authority);
    assertThat(folder.resolve("eve.token")).doesNotExist();
    Files.move(elsewhere, folder.resolve("ca.key"));
    assertThat(CommandRun.of("server init-security " + folder + " --client eve=read:x").code())
        .isZero();
  }

  @Test
  void aRenewedClientHasItsNewGrantsAlone() throws Exception {
    Path folder = dir.resolve("security");
    String init = "server init-security " + folder + " --node one --client loader=";
    assertThat(CommandRun.of(init + "admin:*").code()).isZero();
    String old = Files.readString(folder.resolve("loader.token")).strip();
    CommandRun renewed =
        CommandRun.of("server init-security " + folder + " --client loader=read:accounts --renew");
    assertThat(renewed.code()).as(renewed.err()).isZero();
    Identities identities = Identities.read(folder.resolve("identities"));
    assertThat(identities.ofToken(old)).isEmpty();
    String token = Files.readString(folder.resolve("loader.token")).strip();
    assertThat(identities.ofToken(token).orElseThrow().may(Role.ADMIN, "accounts")).isFalse();
    assertThat(identities.ofCertificate("CN=loader").orElseThrow().may(Role.READ, "accounts"))
        .isTrue();
  }
}
