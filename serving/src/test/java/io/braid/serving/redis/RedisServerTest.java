package io.braid.serving.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.net.HttpNode;
import io.braid.serving.net.RunningNode;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
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
class RedisServerTest {
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
    assertThat(talk(command("CLIENT", "SETINFO", "lib-name", "x") + command("COMMAND", "DOCS")))
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

  /**
   * Fault 82: what is not offered is refused as Redis refuses it, so that clients know what to do.
   */
  @Test
  void whatIsNotOfferedIsRefusedAsRedisDoes() throws IOException {
    for (String verb : List.of("SLOTS", "INFO", "SHARDS", "NODES")) {
      assertThat(talk(command("CLUSTER", verb)))
          .isEqualTo("-ERR This instance has cluster support disabled\r\n");
    }
    assertThat(talk(command("SELECT", "99"))).isEqualTo("-ERR DB index is out of range\r\n");
    assertThat(talk(command("SELECT", "x"))).startsWith("-ERR value is not an integer");
    assertThat(talk(command("SELECT", "0"))).isEqualTo("+OK\r\n");
    assertThat(talk(command("AUTH", "x"))).startsWith("-ERR AUTH <password> called without any");
    assertThat(talk(command("AUTH", "default", "x"))).isEqualTo("+OK\r\n");
    assertThat(talk(command("AUTH", "bob", "x"))).startsWith("-WRONGPASS");
    assertThat(talk(command("CLIENT", "KILL", "x")))
        .isEqualTo("-ERR unknown subcommand 'KILL'. Try CLIENT HELP.\r\n");
    assertThat(talk(command("CLIENT", "SETNAME", "a b"))).startsWith("-ERR Client names cannot");
    assertThat(talk(command("CLIENT", "SETNAME", "me") + command("CLIENT", "GETNAME")))
        .isEqualTo("+OK\r\n$2\r\nme\r\n");
    assertThat(talk(command("CLIENT", "ID"))).startsWith(":");
    assertThat(talk(command("GET")))
        .isEqualTo("-ERR wrong number of arguments for 'get' command\r\n");
    assertThat(talk(command("FROB", "a")))
        .isEqualTo("-ERR unknown command 'FROB', with args beginning with: 'a' \r\n");
    assertThat(talk(command("HELLO", "3", "FROB"))).startsWith("-ERR Syntax error in HELLO option");
    assertThat(talk(command("HELLO", "2", "SETNAME", "me"))).startsWith("*12\r\n");
  }

  @Test
  void aTransactionReadsOrIsGivenUpAsAWhole() throws IOException {
    String get = command("GET", "people:key 3");
    assertThat(talk(command("MULTI") + get + command("EXISTS", "people:no") + command("EXEC")))
        .isEqualTo("+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n$7\r\nvalue 1\r\n:0\r\n");
    assertThat(
            talk(
                command("MULTI")
                    + command("SELECT", "1")
                    + command("GET", "key 3")
                    + command("EXEC")))
        .endsWith("*2\r\n+OK\r\n$7\r\nvalue 1\r\n");
    assertThat(talk(command("MULTI") + command("GET", "none:x") + get + command("EXEC")))
        .contains("*2\r\n-ERR There is no store 'none'")
        .endsWith("$7\r\nvalue 1\r\n");
    assertThat(talk(command("MULTI") + command("SET", "a", "b") + get + command("EXEC")))
        .contains("-READONLY")
        .endsWith("-EXECABORT Transaction discarded because of previous errors.\r\n");
    assertThat(talk(command("MULTI") + command("MULTI") + command("DISCARD") + command("EXEC")))
        .isEqualTo(
            "+OK\r\n-ERR MULTI calls can not be nested\r\n+OK\r\n-ERR EXEC without MULTI\r\n");
    assertThat(talk(command("WATCH", "people:key 3") + command("MULTI") + get + command("EXEC")))
        .endsWith("*1\r\n$7\r\nvalue 1\r\n");
  }

  /** Fault 52: what was watched has another version by now. */
  @Test
  void aTransactionOverANewVersionIsNotRun() throws Exception {
    Path built = NodeFixture.build(root, 2, 10);
    try (Socket socket = new Socket("127.0.0.1", node.redis().address().getPort())) {
      ask(socket, command("WATCH", "people:key 3").getBytes(StandardCharsets.UTF_8));
      assertThat(socket.getInputStream().readNBytes(5)).asString().isEqualTo("+OK\r\n");
      HttpNode asked = new HttpNode(node.url(), "");
      asked.fetch("people", "", built.toString(), 2, false);
      while (!asked.progress("people").ended()) {
        Thread.onSpinWait();
      }
      asked.swap("people", "", 2, false, -1, Optional.empty());
      String rest = command("MULTI") + command("GET", "people:key 3") + command("EXEC");
      ask(socket, rest.getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput();
      assertThat(socket.getInputStream().readAllBytes())
          .asString()
          .isEqualTo("+OK\r\n+QUEUED\r\n*-1\r\n");
    }
  }

  /** Fault 66: an answer does not wait for the rest of the next command. */
  @Test
  @Timeout(60)
  void anAnswerComesWhileHalfACommandIsThere() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", node.redis().address().getPort())) {
      ask(socket, "PING\r\n*2\r\n$3\r\nGE".getBytes(StandardCharsets.UTF_8));
      assertThat(socket.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");
    }
  }

  /** Clients of a cluster take MOVED for a slot and an address. */
  @Test
  void aKeyThatIsNotHereIsAnErrorAndNoRedirection() throws Exception {
    BuildPlan plan =
        BuildPlan.of("half").minimumKeys(0).routing(Routing.consistent(Ring.even(2, 8), 1));
    Path out = root.resolve("halves");
    try (StoreBuilder builder = new StoreBuilder(plan, out)) {
      for (int i = 0; i < 40; i++) {
        builder.add(NodeFixture.key(i), NodeFixture.value(1));
      }
      builder.finish();
    }
    HttpNode asked = new HttpNode(node.url(), "");
    asked.fetch("half", "", out.resolve("node-0").toString(), 1, false);
    while (!asked.progress("half").ended()) {
      Thread.onSpinWait();
    }
    asked.swap("half", "", 1, false, -1, Optional.empty());
    StringBuilder answers = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      answers.append(talk(command("GET", "half:key " + i)));
    }
    assertThat(answers.toString()).contains("$7\r\nvalue 1", "-ERR Node 0 does not hold");
    assertThat(answers.toString()).doesNotContain("MOVED");
  }

  /** Fault 72: the lines of HTTP are no commands, and what follows them is not looked at. */
  @Test
  void aWebPageIsNotTalkedTo() throws IOException {
    assertThat(talk("POST / HTTP/1.1\r\nHost: x\r\n\r\nPING\r\n")).isEmpty();
    assertThat(talk("Host: 127.0.0.1:1\r\nPING\r\n")).isEmpty();
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
    try (RedisServer server = node.redis(1, Duration.ofMillis(300));
        Socket first = new Socket()) {
      first.setReceiveBufferSize(4096);
      first.connect(server.address());
      Thread asking = new Thread(() -> assertThatThrownBy(() -> ask(first, much)));
      asking.start();
      asking.join();
      while (!isServed(server)) {
        Thread.yield(); // the place is free once the server has noticed, too
      }
    }
  }

  private static boolean isServed(RedisServer server) throws IOException {
    try (Socket second = new Socket("127.0.0.1", server.address().getPort())) {
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
