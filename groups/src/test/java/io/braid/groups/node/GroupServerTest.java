package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.net.Arrivals;
import io.braid.core.net.Tls;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.groups.GroupException;
import io.braid.testkit.Certificates;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fault 62: a client of a group node that asks and takes no answers is not waited for for ever. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupServerTest {
  @TempDir Path dir;

  private static GroupServer server(Trust trust) {
    return server(trust, new SystemSeams(), Duration.ofMillis(300));
  }

  private static GroupServer server(Trust trust, Seams seams, Duration patience) {
    return server(trust, seams, patience, 1, Arrivals.ofMemory());
  }

  private static GroupServer server(
      Trust trust, Seams seams, Duration patience, int connections, Arrivals arrivals) {
    NodeOptions usual = NodeOptions.named("n");
    NodeOptions narrow =
        new NodeOptions(
            "n",
            usual.host(),
            0,
            patience,
            usual.clientGone(),
            usual.messagePatience(),
            connections);
    GroupServer server = new GroupServer(narrow, seams, trust, Roles.NONE, arrivals);
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

  private static Seams clock(AtomicLong nanos) {
    Seams real = new SystemSeams();
    return (Seams)
        Proxy.newProxyInstance(
            Seams.class.getClassLoader(),
            new Class<?>[] {Seams.class},
            (proxy, method, given) ->
                method.getName().equals("nanoTime") ? nanos.get() : method.invoke(real, given));
  }

  private static boolean isEnded(Socket socket) throws IOException {
    socket.setSoTimeout(60_000);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  private static void isCutOff(GroupServer server, Trust trust, SocketFactory sockets)
      throws Exception {
    String[] at = server.address().split(":", -1);
    try (Socket deaf = sockets.createSocket(at[0], Integer.parseInt(at[1]))) {
      assertThatThrownBy(() -> askForEver(deaf)).isInstanceOf(IOException.class);
    }
    Bytes answer = Bytes.EMPTY;
    while (answer.isEmpty()) {
      try (ClientNetwork.Line line = trust.network().connect(server.address())) {
        answer = line.ask(Bytes.of("hello"));
      } catch (IOException | RuntimeException e) {
        Thread.yield(); // the server has not noticed yet that the other one has gone
      }
    }
    assertThat(answer).isEqualTo(Bytes.of("hello"));
  }

  private static void askForEver(Socket socket) throws IOException {
    DataOutputStream to = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    to.writeLong(Wire.MAGIC);
    Bytes much = Bytes.wrap(new byte[1 << 19]);
    while (true) {
      Frames.write(to, much);
    }
  }

  @Test
  void whoTakesNoAnswersIsCutOff() throws Exception {
    try (GroupServer server = server(Trust.NONE)) {
      isCutOff(server, Trust.NONE, SocketFactory.getDefault());
    }
  }

  @Test
  void whoTakesNoAnswersIsCutOffUnderTlsToo() throws Exception {
    Certificates.make(dir, "node");
    Path certificate = dir.resolve("node.crt");
    SSLContext context =
        Tls.context(certificate, dir.resolve("node.key"), Optional.of(certificate));
    Trust tls = new Trust(Optional.empty(), Optional.of(context), false);
    try (GroupServer server = server(tls)) {
      isCutOff(server, tls, context.getSocketFactory());
    }
  }

  @Test
  void whoDoesNotSayWhoItIsMakesRoomHoweverItPassesTheTime() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (GroupServer server = server(Trust.NONE, clock(nanos), Duration.ofMinutes(10))) {
      String[] at = server.address().split(":", -1);
      try (Socket slow = new Socket(at[0], Integer.parseInt(at[1]))) {
        slow.getOutputStream().write(0x42);
        while (server.open() == 0) {
          Thread.yield();
        }
        nanos.addAndGet(Duration.ofMinutes(11).toNanos());
        assertThat(isEnded(slow)).isTrue();
      }
      assertThat(isServed(server, Trust.NONE)).isTrue();
    }
  }

  @Test
  void whoDoesNotSendTheRestOfARequestMakesRoomHoweverItPassesTheTime() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (GroupServer server = server(Trust.NONE, clock(nanos), Duration.ofMinutes(10));
        Socket slow = connect(server)) {
      DataOutputStream to = new DataOutputStream(slow.getOutputStream());
      to.writeLong(Wire.MAGIC);
      Frames.write(to, Bytes.of("hello"));
      Frames.read(new DataInputStream(slow.getInputStream()));
      assertThat(server.speaking()).isZero();
      to.write(0);
      while (server.speaking() == 0) {
        Thread.yield();
      }
      nanos.addAndGet(Duration.ofMinutes(11).toNanos());
      assertThat(isEnded(slow)).isTrue();
      assertThat(isServed(server, Trust.NONE)).isTrue();
    }
  }

  @Test
  void connectionsAreBounded() throws Exception {
    try (GroupServer server = server(Trust.NONE, new SystemSeams(), Duration.ofMinutes(10))) {
      try (Socket first = connect(server);
          Socket second = connect(server)) {
        assertThat(isEnded(second)).isTrue();
        assertThat(first.isConnected()).isTrue();
      }
      assertThat(isServed(server, Trust.NONE)).isTrue();
    }
  }

  /** Fault 58. */
  @Test
  void whoSpeaksAnotherProtocolIsNotHeard() throws Exception {
    try (GroupServer server = server(Trust.NONE, new SystemSeams(), Duration.ofMinutes(10));
        Socket other = connect(server)) {
      DataOutputStream to = new DataOutputStream(other.getOutputStream());
      to.writeLong(Wire.MAGIC + 1);
      try {
        Frames.write(to, Bytes.of("hello"));
      } catch (SocketException e) {
        return; // It was faster.
      }
      assertThat(isEnded(other)).isTrue();
    }
  }

  private static Socket connect(GroupServer server) throws IOException {
    String[] at = server.address().split(":", -1);
    return new Socket(at[0], Integer.parseInt(at[1]));
  }

  /** Fault 58: what would not be taken is not waited for. */
  @Test
  void aFrameThatIsTooLongEndsTheConnectionAtOnce() throws Exception {
    try (GroupServer server = server(Trust.NONE, new SystemSeams(), Duration.ofMinutes(10))) {
      String[] at = server.address().split(":", -1);
      try (Socket socket = new Socket(at[0], Integer.parseInt(at[1]))) {
        DataOutputStream to =
            new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        to.writeLong(Wire.MAGIC);
        to.writeInt(Frames.MOST + 1);
        to.flush();
        assertThat(isEnded(socket)).isTrue();
      }
    }
  }

  /** Fault 58: however many begin a long frame and send no more of it. */
  @Test
  void halvesOfFramesFillNoMoreThanTheirShareOfTheMemory() throws Exception {
    Arrivals arrivals = new Arrivals(100_000);
    try (GroupServer server =
            server(Trust.NONE, new SystemSeams(), Duration.ofMinutes(10), 4, arrivals);
        Socket first = half(server);
        Socket second = half(server)) {
      while (arrivals.bytes() < 2 * (48 << 10)) {
        Thread.yield();
      }
      try (Socket third = half(server)) {
        while (arrivals.cutOff() == 0) {
          Thread.yield();
        }
        assertThat(List.of(first, second, third)).anyMatch(GroupServerTest::isSeenToEnd);
        assertThat(arrivals.bytes()).isLessThan(100_000);
        assertThat(server.refused()).isEqualTo(1);
      }
      try (ClientNetwork.Line line = Trust.NONE.network().connect(server.address())) {
        Bytes large = Bytes.wrap(new byte[50_000]);
        assertThat(line.ask(large)).isEqualTo(large);
        assertThat(line.ask(large)).isEqualTo(large);
      }
    }
  }

  private static boolean isSeenToEnd(Socket socket) {
    try {
      socket.setSoTimeout(1000);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static Socket half(GroupServer server) throws IOException {
    String[] at = server.address().split(":", -1);
    Socket socket = new Socket(at[0], Integer.parseInt(at[1]));
    DataOutputStream to = new DataOutputStream(socket.getOutputStream());
    to.writeLong(Wire.MAGIC);
    to.writeInt(Frames.MOST);
    return socket;
  }

  /** Fault 57: who has lost its authority comes in no more, and nobody has to restart for that. */
  @Test
  void certificatesAreReadAgainWhenTheirFilesAreReplaced() throws Exception {
    Certificates.make(dir, "old");
    Certificates.make(dir, "new");
    for (String kind : List.of("crt", "key")) {
      Files.copy(dir.resolve("old." + kind), dir.resolve("node." + kind));
    }
    Trust old = fixed("old");
    Trust fresh = fixed("new");
    Path certificate = dir.resolve("node.crt");
    SSLContext follows = Tls.following(certificate, dir.resolve("node.key"), certificate);
    try (GroupServer server = server(new Trust(Optional.empty(), Optional.of(follows), false))) {
      assertThat(isServed(server, old)).isTrue();
      // A key that is not that of the certificate cannot be used, so what was read stays.
      replace("new.key", "node.key");
      TimeUnit.MILLISECONDS.sleep(2100);
      assertThat(isServed(server, old)).isTrue();
      replace("new.crt", "node.crt");
      while (!isServed(server, fresh)) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      assertThat(isServed(server, old)).isFalse();
    }
  }

  private void replace(String by, String name) throws IOException {
    Files.copy(dir.resolve(by), dir.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private Trust fixed(String name) {
    Path certificate = dir.resolve(name + ".crt");
    SSLContext context =
        Tls.context(certificate, dir.resolve(name + ".key"), Optional.of(certificate));
    return new Trust(Optional.empty(), Optional.of(context), false);
  }

  /** Once the only place at the server is free. */
  private static boolean isServed(GroupServer server, Trust trust) throws Exception {
    while (server.open() > 0) {
      Thread.yield();
    }
    try (ClientNetwork.Line line = trust.network().connect(server.address())) {
      return line.ask(Bytes.of("hello")).equals(Bytes.of("hello"));
    } catch (GroupException e) {
      assertThat(e).isExactlyInstanceOf(GroupException.class);
      return false;
    }
  }
}
