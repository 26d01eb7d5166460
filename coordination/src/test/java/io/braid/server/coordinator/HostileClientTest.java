package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.time.StoreTimestampBound;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults 54 and 58: what comes in over the socket is not believed. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileClientTest {
  private final InProcessCoordination.Place place = new InProcessCoordination.Place();
  private final MemoryStore store = new MemoryStore();
  private Participant leader;
  private String token;

  @BeforeEach
  void takeTheLead() {
    store.ensureTable(Families.system());
    InProcessCoordination own = new InProcessCoordination(place, "leader");
    token = own.liveness().token();
    leader =
        new Participant(
            own,
            new StoreTimestampBound(store),
            new Participant.Terms(
                Duration.ofSeconds(30), true, InetAddress.getLoopbackAddress(), 0, 1 << 10));
    leader.oracle().next();
  }

  @AfterEach
  void close() {
    leader.close();
    store.close();
  }

  private Socket greeted() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), leader.port());
    socket.setSoTimeout(30_000);
    DataOutputStream to = new DataOutputStream(socket.getOutputStream());
    to.writeLong(Frames.MAGIC);
    Frames.writeText(to, token);
    Frames.writeText(to, "somebody");
    assertThat(socket.getInputStream().read()).isEqualTo(Frames.DONE);
    return socket;
  }

  /** Sends what a client would not, after the greeting; the first byte of the answer, or -1. */
  private int send(byte[] bytes) throws IOException {
    try (Socket socket = greeted()) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }

  private static byte[] bytes(Written written) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    written.to(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private interface Written {
    void to(DataOutputStream out) throws IOException;
  }

  @Test
  void anotherReleaseIsToldSo() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), leader.port())) {
      socket.setSoTimeout(10_000);
      new DataOutputStream(socket.getOutputStream()).writeLong(Frames.MAGIC - 1);
      assertThat(socket.getInputStream().read()).isEqualTo(Frames.OTHER_RELEASE);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** Another process may have had this address: who looks for that one is told to look again. */
  @Test
  void whoLooksForSomebodyElseIsAtTheWrongDoor() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), leader.port())) {
      socket.setSoTimeout(10_000);
      DataOutputStream to = new DataOutputStream(socket.getOutputStream());
      to.writeLong(Frames.MAGIC);
      Frames.writeText(to, "who was here before");
      Frames.writeText(to, "somebody");
      assertThat(socket.getInputStream().read()).isEqualTo(Frames.NOT_COORDINATOR);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void lengthsAndKindsThatNobodyMeansEndTheConnection() throws IOException {
    assertThat(send(new byte[] {99})).isEqualTo(-1);
    assertThat(send(new byte[] {Frames.FIGURE, 100})).isEqualTo(-1);
    for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30}) {
      assertThat(send(commit(out -> out.writeInt(length)))).isEqualTo(-1);
    }
    // More write sets than bytes, more cells than bytes, bytes that nobody announced, too few.
    assertThat(send(commit(message(out -> out.writeInt(1 << 13))))).isEqualTo(-1);
    assertThat(send(commit(message(out -> set(out, 0, Integer.MAX_VALUE))))).isEqualTo(-1);
    assertThat(send(commit(message(out -> set(out, 0xFFFF, 0))))).isEqualTo(-1);
    assertThat(send(commit(message(out -> set(out, 0, -1))))).isEqualTo(-1);
    assertThat(send(commit(message(out -> out.writeLong(0))))).isEqualTo(-1);
    assertThat(send(commit(out -> out.writeInt(40 << 20)))).isEqualTo(-1);
    assertThat(send(commit(message(out -> set(out, 0, 0))))).isEqualTo(Frames.DONE);
    assertThat(leader.figures()).containsEntry(ManagerFigure.GRANTED, 1L);
  }

  /** It does not wait for what it would not take. */
  @Test
  void aMessageThatIsTooLongEndsTheConnectionAtOnce() throws IOException {
    for (int kind :
        new int[] {Frames.LOCKS, Frames.OFFER_HINTS, Frames.TAKE_HINTS, Frames.COMMIT}) {
      int most = kind == Frames.COMMIT ? CommitMessage.MOST_BYTES : Frames.MOST_BYTES;
      for (int length : new int[] {-1, most + 1, Integer.MAX_VALUE}) {
        try (Socket socket = greeted()) {
          DataOutputStream to = new DataOutputStream(socket.getOutputStream());
          to.write(bytes(out -> announce(out, kind, length)));
          assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
      }
    }
  }

  private static void announce(DataOutputStream to, int kind, int length) throws IOException {
    to.write(kind);
    to.writeInt(length);
  }

  private static byte[] commit(Written rest) throws IOException {
    return bytes(
        out -> {
          out.write(Frames.COMMIT);
          rest.to(out);
        });
  }

  private static Written message(Written payload) {
    return out -> {
      byte[] bytes = bytes(payload);
      out.writeInt(bytes.length);
      out.write(bytes);
    };
  }

  /** A request of one write set that says so much of itself. */
  private static void set(DataOutputStream out, int tables, int cells) throws IOException {
    out.writeInt(1);
    out.writeLong(Long.MAX_VALUE);
    out.writeShort(tables);
    out.writeInt(cells);
  }

  @Test
  void randomBytesLeaveTheManagerWhole() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      send(bytes);
    }
    long before = leader.oracle().next();
    assertThat(leader.oracle().next()).isGreaterThan(before);
    while (!Long.valueOf(0).equals(leader.figures().get(ManagerFigure.CONNECTIONS))) {
      Thread.onSpinWait();
    }
  }

  @Test
  void writeSetsAndAnswersArriveAsTheyWereSent() {
    Seeds.check(30, HostileClientTest::passThere);
  }

  private static void passThere(RandomGenerator random) throws IOException {
    List<WriteSet> sent = new ArrayList<>();
    Verdict[] verdicts = new Verdict[random.nextInt(60)];
    for (int i = 0; i < verdicts.length; i++) {
      sent.add(writes(random));
      verdicts[i] = Verdict.values()[random.nextInt(Verdict.values().length)];
    }
    CommitMessage client = new CommitMessage();
    CommitMessage server = new CommitMessage();
    client.request(sent);
    pass(client, server);
    List<WriteSet> received = server.requested();
    for (int i = 0; i < verdicts.length; i++) {
      assertThat(describe(received.get(i))).isEqualTo(describe(sent.get(i)));
      answer(received.get(i), verdicts[i], random);
    }
    server.answer(received, verdicts);
    pass(server, client);
    Verdict[] heard = new Verdict[verdicts.length];
    client.answered(sent, heard);
    assertThat(heard).containsExactly(verdicts);
    for (int i = 0; i < verdicts.length; i++) {
      assertThat(describe(sent.get(i))).isEqualTo(describe(received.get(i)));
    }
  }

  private static WriteSet writes(RandomGenerator random) {
    WriteSet writes = new WriteSet().reset(random.nextLong());
    int cells = random.nextInt(10) == 0 ? 5000 : random.nextInt(4);
    for (int i = 0; i < cells; i++) {
      writes.add(random.nextLong());
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      writes.addTable(random.nextLong());
    }
    return writes;
  }

  private static void answer(WriteSet writes, Verdict verdict, RandomGenerator random) {
    if (verdict == Verdict.GRANTED) {
      writes.grant(random.nextLong());
    } else if (verdict == Verdict.CONFLICT) {
      for (int i = 0; i < writes.size(); i += 2) {
        writes.collides(i, random.nextLong(1, 100));
      }
    }
  }

  private static void pass(CommitMessage from, CommitMessage to) throws IOException {
    byte[] bytes = bytes(from::send);
    to.receive(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static String describe(WriteSet writes) {
    StringBuilder text = new StringBuilder();
    text.append(writes.start()).append(' ').append(writes.commit());
    for (int i = 0; i < writes.tableCount(); i++) {
      text.append(" t").append(writes.table(i));
    }
    for (int i = 0; i < writes.size(); i++) {
      text.append(' ').append(writes.cell(i)).append(':').append(writes.newer(i));
    }
    return text.toString();
  }
}
