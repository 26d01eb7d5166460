package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.net.Tls;
import io.braid.core.runtime.SystemSeams;
import io.braid.groups.GroupException;
import io.braid.testkit.Certificates;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: who knows the secret is let in and heard, and nobody else. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrustTest {
  private static final Trust OURS = secret("a secret of more than thirty-two characters");
  private static final Trust OTHERS = secret("another one, of as many characters and more");

  @TempDir Path dir;

  private static Trust secret(String text) {
    return new Trust(Optional.of(Secret.of(text)), Optional.empty(), false);
  }

  private static GroupServer server(Trust trust) {
    GroupServer server =
        new GroupServer(NodeOptions.named("n"), new SystemSeams(), trust, Roles.NONE);
    server.open(
        visitor ->
            new ClientNetwork.ClientSession() {
              @Override
              public Bytes answer(Bytes request) {
                return request;
              }

              @Override
              public void end() {}
            });
    return server;
  }

  private static Bytes echo(GroupServer server, Trust trust) throws Exception {
    try (ClientNetwork.Line line = trust.network().connect(server.address())) {
      return line.ask(Bytes.of("hello"));
    }
  }

  @Test
  void aClientThatKnowsTheSecretIsServedAndOthersAreRefusedAndCounted() throws Exception {
    try (GroupServer server = server(OURS)) {
      assertThat(echo(server, OURS)).isEqualTo(Bytes.of("hello"));
      assertThatThrownBy(() -> echo(server, OTHERS))
          .isExactlyInstanceOf(GroupException.class)
          .isInstanceOfSatisfying(
              GroupException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.GROUP))
          .hasMessageContaining("groups.secret");
      try (NodeConnection plain = NodeConnection.open(Trust.NONE.network(), server.address())) {
        assertThatThrownBy(() -> plain.call(Wire.LIST, request -> {}))
            .isInstanceOf(GroupException.class)
            .hasMessageContaining("groups.secret");
      }
      assertThat(echo(server, OURS)).isEqualTo(Bytes.of("hello"));
      assertThat(server.refused()).isEqualTo(2);
    }
  }

  /** Else it would tell its commits to anybody who listens at the right place. */
  @Test
  void aClientWithASecretTalksToNoNodeWithout() throws Exception {
    try (GroupServer server = server(Trust.NONE)) {
      assertThat(echo(server, Trust.NONE)).isEqualTo(Bytes.of("hello"));
      assertThatThrownBy(() -> echo(server, OURS))
          .isExactlyInstanceOf(GroupException.class)
          .isInstanceOfSatisfying(
              GroupException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.GROUP));
    }
  }

  private Trust tls(String name) throws Exception {
    Certificates.make(dir, name);
    Path certificate = dir.resolve(name + ".crt");
    SSLContext context =
        Tls.context(certificate, dir.resolve(name + ".key"), Optional.of(certificate));
    return new Trust(Optional.empty(), Optional.of(context), false);
  }

  /** Else it would try again for half a minute, and say nothing of TLS. */
  @Test
  void whoSpeaksNoTlsHearsAtOnceThatANodeDoes() throws Exception {
    Trust tls = tls("node");
    try (GroupServer server = server(tls)) {
      for (Trust plain : List.of(Trust.NONE, OURS)) {
        assertThatThrownBy(() -> echo(server, plain))
            .isExactlyInstanceOf(GroupException.class)
            .isInstanceOfSatisfying(
                GroupException.class,
                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.GROUP))
            .hasMessageContaining("TLS");
      }
      assertThat(echo(server, tls)).isEqualTo(Bytes.of("hello"));
      for (long refused = 0; refused < 2; refused = server.refused()) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
  }

  @Test
  void whoSpeaksTlsHearsAtOnceThatANodeDoesNot() throws Exception {
    Trust tls = tls("client");
    for (Trust plain : List.of(Trust.NONE, OURS)) {
      try (GroupServer server = server(plain)) {
        assertThatThrownBy(() -> echo(server, tls))
            .isExactlyInstanceOf(GroupException.class)
            .isInstanceOfSatisfying(
                GroupException.class,
                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.GROUP))
            .hasMessageContaining("neither");
        assertThat(echo(server, plain)).isEqualTo(Bytes.of("hello"));
      }
    }
  }

  @Test
  void otherMachinesAreServedOnlyIfSomethingWasSaidOfThem() {
    InetSocketAddress all = new InetSocketAddress("0.0.0.0", 0);
    assertThatThrownBy(() -> Trust.NONE.requireSafe(all))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("groups.secret")
        .hasMessageContaining("groups.open");
    OURS.requireSafe(all);
    new Trust(Optional.empty(), Optional.empty(), true).requireSafe(all);
    Trust.NONE.requireSafe(new InetSocketAddress("127.0.0.1", 0));
  }

  @Test
  void aSecretThatCouldBeGuessedIsRefused() throws Exception {
    Path file = Files.writeString(dir.resolve("secret"), "changeit\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> Secret.read(file)).hasMessageContaining("openssl rand");
    assertThatThrownBy(() -> Secret.read(dir.resolve("none"))).hasMessageContaining("read");
    Files.writeString(file, "0123456789abcdef0123456789abcdef\n");
    byte[] code = Secret.read(file).code(new byte[] {1});
    assertThat(Secret.of("0123456789abcdef0123456789abcdef").matches(code, new byte[] {1}))
        .as("white space around it does not count")
        .isTrue();
  }
}
