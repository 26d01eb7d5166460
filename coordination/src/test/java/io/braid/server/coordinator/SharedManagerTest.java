package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordination.Register;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits that are asked for at a manager elsewhere, when something is wrong with it. */
@Timeout(60)
class SharedManagerTest {

  /** An Error in one commit, for instance when there is no memory, does not keep the next out. */
  @Test
  void commitsGoOnAfterAnError() {
    AtomicInteger reads = new AtomicInteger();
    Register register =
        new Register() {
          @Override
          public Entry read() {
            if (reads.getAndIncrement() == 0) {
              throw new OutOfMemoryError("on purpose");
            }
            return Entry.NONE;
          }

          @Override
          public boolean replace(Entry expected, Bytes value) {
            return false;
          }
        };
    SharedManager manager =
        new SharedManager(new Directory(register, null, "own", Trust.NONE), new SystemSeams());
    assertThatThrownBy(() -> manager.commit(writes(1))).isInstanceOf(OutOfMemoryError.class);
    assertThat(manager.commit(writes(1))).isEqualTo(Verdict.TOO_OLD);
  }

  /**
   * A manager that stands still reads nothing: who is sending to it learns that it was replaced.
   */
  @Test
  void aCommitThatCannotBeSentEndsWithTheLeadership() throws Exception {
    InProcessCoordination.Place place = new InProcessCoordination.Place();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InProcessCoordination still = new InProcessCoordination(place, "still");
      Register register = still.register(Coordinator.REGISTER);
      appoint(register, "still", door.getLocalPort());
      Future<Socket> greeted = threads.submit(() -> greet(door));
      try (Participant own =
          new Participant(
              new InProcessCoordination(place, "own"),
              new RegisterBound(still.register("bound")),
              new Participant.Terms(
                  Duration.ofSeconds(1), false, InetAddress.getLoopbackAddress(), 0, 1 << 10))) {
        Future<Verdict> verdict = threads.submit(() -> own.manager().commit(writes(4 << 20)));
        try (Socket socket = greeted.get()) {
          assertThat(socket.isConnected()).isTrue();
          appoint(register, "next", 1);
          assertThat(verdict.get()).isEqualTo(Verdict.TOO_OLD);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void appoint(Register register, String holder, int port) {
    String address = InetAddress.getLoopbackAddress().getHostAddress() + " " + port;
    register.replace(register.read(), new LeaseRecord(holder, address, true, port).encode());
  }

  /** Answers the greeting, and reads nothing more. */
  private static Socket greet(ServerSocket door) throws IOException {
    Socket socket = door.accept();
    DataInputStream from = new DataInputStream(socket.getInputStream());
    assertThat(Frames.isGreeted(from, new DataOutputStream(socket.getOutputStream()))).isTrue();
    Frames.readText(from);
    Frames.readText(from);
    socket.getOutputStream().write(Frames.DONE);
    return socket;
  }

  private static WriteSet writes(int cells) {
    WriteSet writes = new WriteSet().reset(1);
    for (int i = 0; i < cells; i++) {
      writes.add(i);
    }
    return writes;
  }
}
