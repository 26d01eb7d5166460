package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.net.Arrivals;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.testkit.MemoryStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults 58 and 62: halves of requests do not fill the memory of the coordinator. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HalfRequestsTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  /** Beyond what is not counted. */
  private static final int COUNTED = 48 << 10;

  private final MemoryStore store = new MemoryStore();
  private final SystemSeams seams = new SystemSeams();
  private final Arrivals arrivals = new Arrivals(2 * COUNTED + COUNTED / 2);
  private final List<Socket> sockets = new ArrayList<>();
  private final CoordinatorServer server = server();

  private CoordinatorServer server() {
    store.ensureTable(Families.system());
    InProcessCoordination own =
        new InProcessCoordination(new InProcessCoordination.Place(), "leader");
    Lease lease =
        new Lease(own.register(Coordinator.REGISTER), seams, Duration.ofHours(1), "t", "here 1");
    assertThat(lease.tryTake()).isTrue();
    Leadership leadership =
        new Leadership(new LocalOracle(new StoreTimestampBound(store), seams), lease, seams, 16);
    try {
      ServerSocket door = new ServerSocket(0, 10, HERE);
      return new CoordinatorServer(
          door, Trust.NONE, seams, "t", () -> leadership, CoordinatorServer.Bounds.of(arrivals));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    for (Socket each : sockets) {
      each.close();
    }
    server.close();
    store.close();
  }

  private Socket greeted() throws IOException {
    Socket socket = new Socket(HERE, server.port());
    sockets.add(socket);
    socket.setSoTimeout(20_000);
    DataOutputStream to = new DataOutputStream(socket.getOutputStream());
    to.writeLong(Frames.MAGIC);
    Frames.writeText(to, "t");
    Frames.writeText(to, "");
    assertThat(socket.getInputStream().read()).isEqualTo(Frames.DONE);
    return socket;
  }

  /** Announces a long message and sends so little of it that a block of memory is begun. */
  private Socket half(int kind) throws IOException {
    Socket socket = greeted();
    DataOutputStream to = new DataOutputStream(socket.getOutputStream());
    to.write(kind);
    // There is a buffer for the beginning of a request to commit before it comes.
    to.writeInt(kind == Frames.COMMIT ? 80 << 10 : 64 << 10);
    to.write(new byte[100]);
    return socket;
  }

  private static void await(BooleanSupplier what) {
    while (!what.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static boolean isEnded(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void theOneThatBeganFirstMakesRoom() throws IOException {
    Socket first = half(Frames.COMMIT);
    await(() -> arrivals.bytes() == COUNTED);
    Socket second = half(Frames.TAKE_HINTS);
    await(() -> arrivals.bytes() == 2 * COUNTED);
    half(Frames.LOCKS);
    assertThat(isEnded(first)).isTrue();
    await(() -> arrivals.bytes() == 2 * COUNTED);
    assertThat(server.turnedAway()).isEqualTo(1);
    Socket good = greeted();
    good.getOutputStream().write(Frames.LAST_ISSUED);
    assertThat(good.getInputStream().read()).isEqualTo(Frames.DONE);
    second.close();
    await(() -> arrivals.bytes() == COUNTED);
  }

  @Test
  void whatIsAnsweredLiesNoLonger() throws IOException {
    Socket one = greeted();
    DataOutputStream to = new DataOutputStream(one.getOutputStream());
    for (int i = 0; i < 10; i++) {
      to.write(Frames.COMMIT);
      int cells = 8000;
      to.writeInt(4 + 14 + 8 * cells);
      to.writeInt(1);
      to.writeLong(Long.MAX_VALUE);
      to.writeShort(0);
      to.writeInt(cells);
      to.write(new byte[8 * cells]);
      assertThat(one.getInputStream().read()).isEqualTo(Frames.DONE);
      one.getInputStream().skipNBytes(4 + 9);
      await(() -> arrivals.bytes() == 0);
    }
    assertThat(server.turnedAway()).isZero();
  }

  /** Else the rest of one request would be taken for the next, and its answer for another's. */
  @Test
  void aRequestThatBreaksOffOnItsWayOutEndsItsConnection() throws IOException {
    LeaseRecord record = new LeaseRecord("t", "127.0.0.1 " + server.port(), true, 1);
    for (Throwable failure : List.of(new IllegalStateException("no"), new OutOfMemoryError("no"))) {
      CoordinatorConnection connection =
          new CoordinatorConnection(record, "", Trust.NONE, slow -> true);
      assertThat(connection.ask(Frames.NEXT, to -> to.writeInt(1))).isPositive();
      assertThatThrownBy(
              () ->
                  connection.ask(
                      Frames.NEXT,
                      to -> {
                        to.writeShort(0);
                        if (failure instanceof Error e) {
                          throw e;
                        }
                        throw (RuntimeException) failure;
                      }))
          .isSameAs(failure);
      assertThat(connection.isClosed()).isTrue();
    }
  }

  /** The leader refuses a process that may ask on. */
  @Test
  void aRefusalLeavesTheConnectionOpen() throws IOException {
    LeaseRecord record = new LeaseRecord("t", "127.0.0.1 " + server.port(), true, 1);
    try (CoordinatorConnection connection =
        new CoordinatorConnection(record, "", Trust.NONE, slow -> true)) {
      assertThatThrownBy(() -> connection.ask(Frames.NEXT, to -> to.writeInt(0)))
          .isInstanceOf(TimestampUnavailableException.class)
          .hasMessageContaining("Asked for 0 timestamps");
      assertThat(connection.ask(Frames.NEXT, to -> to.writeInt(1))).isPositive();
    }
  }
}
