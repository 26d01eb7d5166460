package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.serving.node.NodeFixture;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults 54 and 58: the Redis protocol as clients speak it, and as nobody should. */
@SuppressWarnings("NullAway.Init")
class RedisFaceTest {
  @TempDir Path root;

  private RunningNode node;

  @BeforeEach
  void open() throws Exception {
    node = RunningNode.start(root.resolve("node"), "");
    Path built = NodeFixture.build(root, 1, 10);
    HttpNode asked = new HttpNode(node.url(), "");
    asked.fetch("people", "", built.toString(), 1, false);
    while (!asked.progress("people").ended()) {
      Thread.onSpinWait();
    }
    asked.swap("people", "", 1, false, -1, Optional.empty());
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  /** Sends bytes, says that nothing more comes, and answers what comes back. */
  private String talk(byte[] bytes) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node.redis().address().getPort())) {
      try {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
        InputStream in = socket.getInputStream();
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (SocketException e) {
        return "reset";
      }
    }
  }

  private String talk(String text) throws IOException {
    return talk(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return text.toString();
  }

  @Test
  void readsAreAnswered() throws IOException {
    assertThat(talk(command("GET", "people:key 3"))).isEqualTo("$7\r\nvalue 1\r\n");
    assertThat(talk(command("SELECT", "1") + command("MGET", "key 1", "no", "key 2")))
        .isEqualTo("+OK\r\n*3\r\n$7\r\nvalue 1\r\n$-1\r\n$7\r\nvalue 1\r\n");
    assertThat(talk(command("EXISTS", "people:key 1", "people:no"))).isEqualTo(":1\r\n");
    assertThat(talk(command("HELLO", "3") + command("GET", "people:no"))).endsWith("_\r\n");
    assertThat(talk("PING\r\nPING x\r\n")).isEqualTo("+PONG\r\n$1\r\nx\r\n");
    assertThat(talk(command("CLIENT", "SETINFO", "lib", "x") + command("COMMAND", "DOCS")))
        .isEqualTo("+OK\r\n*0\r\n");
    assertThat(talk(command("INFO"))).contains("people:version=1");
    assertThat(talk(command("QUIT") + command("PING"))).isEqualTo("+OK\r\n");
  }

  @Test
  void writesAndMistakesAreRefusedAndTheConnectionGoesOn() throws IOException {
    assertThat(talk(command("SET", "people:a", "b") + command("PING")))
        .startsWith("-READONLY")
        .endsWith("+PONG\r\n");
    assertThat(talk(command("GET", "plain") + command("GET") + command("FROB")))
        .contains("-ERR database 0 is no store", "-ERR wrong number", "-ERR unknown command");
    assertThat(talk(command("GET", "none:x"))).startsWith("-ERR There is no store 'none'");
    assertThat(talk(command("HELLO", "4"))).startsWith("-NOPROTO");
  }

  @Test
  void whatIsNoProtocolIsClosedWithAWord() throws IOException {
    for (String bad :
        List.of(
            "*-1\r\n",
            "*99999999\r\n",
            "*1\r\n$-5\r\n",
            "*1\r\n$999999999\r\n",
            "*1\r\n$3\r\nGETxx",
            "*1\r\nGET\r\n",
            "*999999999999999999999\r\n",
            "x".repeat(10_000))) {
      assertThat(talk(bad + command("PING"))).doesNotContain("PONG").startsWith("-ERR Protocol");
    }
    assertThat(talk("*2\r\n$3\r\nGET\r\n$100\r\nshort")).isEmpty();
    assertThat(talk(command("PING"))).isEqualTo("+PONG\r\n");
  }

  @Test
  void randomBytesDoNoHarm() throws IOException {
    for (int seed = 1; seed <= 50; seed++) {
      byte[] bytes = new byte[200];
      Seeds.random(seed).nextBytes(bytes);
      talk(bytes);
      talk(("*2\r\n$3\r\nGET\r\n$" + new String(bytes, StandardCharsets.ISO_8859_1)));
    }
    assertThat(talk(command("PING"))).isEqualTo("+PONG\r\n");
  }

  /** As soon as a client sees the end of a connection, it may have another. */
  @Test
  void aConnectionThatHasEndedCountsNoMore() throws IOException {
    for (int i = 0; i < 300; i++) {
      assertThat(talk("PING\r\n")).isEqualTo("+PONG\r\n");
    }
  }

  /** Fault 62: connections are bounded. */
  @Test
  void oneConnectionTooManyIsToldSo() throws IOException {
    int port = node.redis().address().getPort();
    try (Socket first = new Socket("127.0.0.1", port);
        Socket second = new Socket("127.0.0.1", port)) {
      for (Socket socket : List.of(first, second)) {
        socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.UTF_8));
        assertThat(socket.getInputStream().readNBytes(7)).startsWith((byte) '+');
      }
      assertThat(talk("")).startsWith("-ERR max number of clients");
    }
  }

  /** Fault 62: who asks and never takes an answer is cut off, and makes room. */
  @Test
  @Timeout(120)
  void whoTakesNoAnswersMakesRoomForOthers() throws Exception {
    byte[] much = "GET people:key 3\r\n".repeat(800_000).getBytes(StandardCharsets.UTF_8);
    try (RedisFace face = node.redis(1, Duration.ofMillis(300));
        Socket first = new Socket()) {
      first.setReceiveBufferSize(4096);
      first.connect(face.address());
      Thread asking = new Thread(() -> assertThatThrownBy(() -> ask(first, much)));
      asking.start();
      asking.join();
      while (!isServed(face)) {
        Thread.yield(); // the place is free once the server has noticed, too
      }
    }
  }

  private static boolean isServed(RedisFace face) throws IOException {
    try (Socket second = new Socket("127.0.0.1", face.address().getPort())) {
      ask(second, "PING\r\n".getBytes(StandardCharsets.UTF_8));
      return second.getInputStream().read() == '+';
    } catch (SocketException e) {
      return false;
    }
  }

  private static void ask(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }
}
