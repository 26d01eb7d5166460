package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.gateway.access.Identities;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: a Redis client of a server with identities reads what its identity may read. */
class RedisIdentitiesTest {
  @TempDir Path dir;

  @Test
  void aClientShowsItsTokenAndReadsItsStores() throws Exception {
    Path file =
        Files.write(
            dir.resolve("identities"),
            List.of("alice sha256:" + Identities.hash("token-a") + " read:store/people"));
    try (TestNode node =
            TestNode.start(
                dir, "server.identities", file.toString(), "server.redis", "127.0.0.1:0");
        Client client = new Client(node.node().redis().orElseThrow())) {
      assertThat(client.ask("GET people:k")).startsWith("-NOAUTH");
      assertThat(client.ask("AUTH wrong")).startsWith("-WRONGPASS");
      assertThat(client.ask("AUTH bob token-a")).startsWith("-WRONGPASS");
      assertThat(client.ask("AUTH alice token-a")).isEqualTo("+OK");
      assertThat(client.ask("GET people:k")).as("may be read, and is not there").startsWith("-ERR");
      assertThat(client.ask("GET other:k")).startsWith("-NOPERM").contains("'other'");
      assertThat(client.ask("MGET people:k other:k")).startsWith("-NOPERM");
      assertThat(client.ask("WATCH other:k")).startsWith("-NOPERM");
      assertThat(client.ask("MULTI")).isEqualTo("+OK");
      assertThat(client.ask("GET other:k")).isEqualTo("+QUEUED");
      assertThat(client.ask("EXEC")).startsWith("-NOPERM");
      assertThat(client.ask("RESET")).isEqualTo("+RESET");
      assertThat(client.ask("GET people:k")).startsWith("-NOAUTH");
      assertThat(client.ask("AUTH token-a")).isEqualTo("+OK");
      Files.write(file, List.of("bob sha256:" + Identities.hash("token-b") + " read:*"));
      node.node().reread();
      assertThat(client.ask("GET people:k")).as("an identity that is gone").startsWith("-NOPERM");
    }
  }

  private static final class Client implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Client(InetSocketAddress at) throws IOException {
      this.socket = new Socket(at.getAddress(), at.getPort());
      socket.setSoTimeout(10_000);
      this.in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    String ask(String command) throws IOException {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
      return in.readLine();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
