package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.net.Arrivals;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 62: who comes to the coordinator, how many of them, and for how long they say nothing. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoordinatorDoorTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final int LONG = 3_600_000;

  private static CoordinatorServer server(
      ServerSocket door, Seams seams, int connections, int helloMillis) {
    return new CoordinatorServer(
        door,
        Trust.NONE,
        seams,
        "token",
        () -> null,
        new CoordinatorServer.Bounds(connections, helloMillis, Arrivals.ofMemory()));
  }

  private static CoordinatorServer server(int connections, int helloMillis) throws IOException {
    return server(new ServerSocket(0, 10, HERE), new SystemSeams(), connections, helloMillis);
  }

  private static boolean isEnded(Socket socket) throws IOException {
    socket.setSoTimeout(40_000);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  /** The first byte of the answer to who looks for another coordinator; -1 when it is not heard. */
  private static int answer(CoordinatorServer server) throws IOException {
    try (Socket socket = new Socket(HERE, server.port())) {
      socket.setSoTimeout(40_000);
      DataOutputStream to = new DataOutputStream(socket.getOutputStream());
      to.writeLong(Frames.MAGIC);
      Frames.writeText(to, "another");
      Frames.writeText(to, "");
      return socket.getInputStream().read();
    } catch (SocketException e) {
      return -1;
    }
  }

  @Test
  void connectionsAreBounded() throws IOException {
    try (CoordinatorServer server = server(2, LONG)) {
      try (Socket first = new Socket(HERE, server.port());
          Socket second = new Socket(HERE, server.port());
          Socket third = new Socket(HERE, server.port())) {
        assertThat(isEnded(third)).isTrue();
        assertThat(server.turnedAway()).isEqualTo(1);
        assertThat(first.isConnected() && second.isConnected()).isTrue();
      }
      int answer = -1;
      while (answer < 0) { // until those have gone
        answer = answer(server);
      }
      assertThat(answer).isEqualTo(Frames.NOT_COORDINATOR);
    }
  }

  @Test
  void whoComesAndSaysNothingIsNotWaitedFor() throws IOException {
    try (CoordinatorServer server = server(10, 100);
        Socket silent = new Socket(HERE, server.port());
        Socket half = new Socket(HERE, server.port())) {
      half.getOutputStream().write(0x42);
      assertThat(isEnded(silent)).isTrue();
      assertThat(isEnded(half)).isTrue();
    }
  }

  /** Fault 58: whatever it says afterwards. */
  @Test
  void whoGreetsOtherwiseIsNotHeard() throws IOException {
    try (CoordinatorServer server = server(10, LONG);
        Socket other = new Socket(HERE, server.port())) {
      other.setSoTimeout(40_000);
      DataOutputStream to = new DataOutputStream(new BufferedOutputStream(other.getOutputStream()));
      to.writeLong(Frames.MAGIC - 1);
      Frames.writeText(to, "token");
      Frames.writeText(to, "");
      to.flush();
      assertThat(other.getInputStream().read()).isEqualTo(Frames.OTHER_RELEASE);
      assertThat(isEnded(other)).isTrue();
    }
  }

  /** When the process may open no more files. */
  @Test
  void aDoorThatCannotAcceptTriesAgainAfterAWhile() throws IOException {
    AtomicInteger failures = new AtomicInteger(3);
    AtomicInteger pauses = new AtomicInteger();
    ManualSeams seams =
        new ManualSeams(new AtomicLong(), 1, 1) {
          @Override
          public void sleep(Duration duration) {
            pauses.incrementAndGet();
          }
        };
    ServerSocket door =
        new ServerSocket(0, 10, HERE) {
          @Override
          public Socket accept() throws IOException {
            if (failures.getAndDecrement() > 0) {
              throw new IOException("Too many open files");
            }
            return super.accept();
          }
        };
    try (CoordinatorServer server = server(door, seams, 10, LONG)) {
      assertThat(answer(server)).isEqualTo(Frames.NOT_COORDINATOR);
      assertThat(pauses).hasValue(3);
    }
  }
}
