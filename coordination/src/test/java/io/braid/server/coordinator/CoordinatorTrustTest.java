package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.net.Tls;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.HintExchange;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampBound;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.testkit.Certificates;
import io.braid.testkit.MemoryStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults 57, 58 and 62: who asks the coordinator shows who it is, and others are not heard. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoordinatorTrustTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final Duration LEASE = Duration.ofSeconds(30);

  @TempDir static Path dir;

  private final InProcessCoordination.Place place = new InProcessCoordination.Place();
  private final MemoryStore store = new MemoryStore();
  private final List<Participant> all = new ArrayList<>();

  @BeforeAll
  static void makeCertificates() throws Exception {
    for (String name : List.of("manager", "worker", "mallory")) {
      Certificates.make(dir, name);
    }
    Files.writeString(
        dir.resolve("known.crt"),
        Files.readString(dir.resolve("manager.crt")) + Files.readString(dir.resolve("worker.crt")));
  }

  @BeforeEach
  void prepare() {
    store.ensureTable(Families.system());
  }

  @AfterEach
  void close() {
    all.forEach(Participant::close);
    store.close();
  }

  private static Trust tls(String name) {
    return new Trust(
        Optional.of(
            Tls.context(
                dir.resolve(name + ".crt"),
                dir.resolve(name + ".key"),
                Optional.of(dir.resolve("known.crt")))),
        false);
  }

  private Participant join(boolean candidate, Trust trust) {
    return join(candidate, trust, new StoreTimestampBound(store));
  }

  private Participant join(boolean candidate, Trust trust, TimestampBound bound) {
    Participant joined =
        new Participant(
            new InProcessCoordination(place, "process " + all.size()),
            bound,
            new Participant.Terms(LEASE, candidate, HERE, 0, 1 << 10, trust));
    all.add(joined);
    if (candidate) {
      joined.oracle().next();
    }
    return joined;
  }

  private static long turnedAway(Participant leader) {
    return leader.figures().getOrDefault(ManagerFigure.TURNED_AWAY, 0L);
  }

  private static void isNotTrusted(Throwable thrown) {
    assertThat(thrown.getCause())
        .isInstanceOfSatisfying(
            TimestampUnavailableException.class,
            refusal -> {
              assertThat(refusal.isLasting()).isTrue();
              assertThat(refusal).hasMessageContaining("do not trust each other");
            });
  }

  @Test
  void allThatProcessesSayToEachOtherGoesThroughTls() {
    Participant leader = join(true, tls("manager"));
    Participant worker = join(false, tls("worker"));

    long begun = worker.oracle().next();
    WriteSet writes = new WriteSet().reset(begun).add(17);

    assertThat(worker.manager().commit(writes)).isEqualTo(Verdict.GRANTED);
    assertThat(writes.commit()).isGreaterThan(begun);
    AdvisoryLocks locks = worker.seams().locks();
    assertThat(locks.tryLock("row", "a")).isTrue();
    assertThat(leader.seams().locks().tryLock("row", "b")).isFalse();
    HintExchange hints = leader.seams().hints();
    Set<String> topics = Set.of("topic");
    hints.take(topics, 1, Duration.ZERO);
    worker.seams().hints().offer("topic", Bytes.of("hint"));
    List<Bytes> heard = List.of();
    while (heard.isEmpty()) {
      heard = hints.take(topics, 1, Duration.ofMillis(50));
    }
    assertThat(heard).containsExactly(Bytes.of("hint"));
    assertThat(turnedAway(leader)).isZero();
  }

  /** Longer than a client waits before it looks whether there is another coordinator. */
  @Test
  void anAnswerThatTakesLongArrivesWhole() {
    StoreTimestampBound bound = new StoreTimestampBound(store);
    TimestampBound slow =
        new TimestampBound() {
          @Override
          public long read() {
            return bound.read();
          }

          @Override
          public boolean raise(long expected, long next) {
            try {
              Thread.sleep(700);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return bound.raise(expected, next);
          }
        };
    join(true, tls("manager"), slow);
    Participant worker = join(false, tls("worker"));
    long last = worker.oracle().next();
    for (int i = 0; i < 3; i++) {
      long drawn = worker.oracle().next(1 << 16);
      assertThat(drawn).isGreaterThan(last);
      last = drawn;
    }
    assertThat(worker.figures()).containsEntry(ManagerFigure.TURNED_AWAY, 0L);
  }

  /** Who is turned away may know it before it is counted. */
  private static void awaitTurnedAway(Participant leader, long count) {
    while (turnedAway(leader) < count) {
      Thread.onSpinWait();
    }
    assertThat(turnedAway(leader)).isEqualTo(count);
  }

  @Test
  void whoHasNoCertificateOrAWrongOneIsNotHeardAndTold() {
    Participant leader = join(true, tls("manager"));

    assertThatThrownBy(() -> join(false, tls("mallory")).oracle().next())
        .satisfies(CoordinatorTrustTest::isNotTrusted)
        .hasMessageContaining("do not trust each other");
    awaitTurnedAway(leader, 1);

    assertThatThrownBy(() -> join(false, Trust.NONE).oracle().next())
        .satisfies(CoordinatorTrustTest::isNotTrusted)
        .hasMessageContaining("cluster.tls-certificate");
    awaitTurnedAway(leader, 2);
  }

  @Test
  void aCoordinatorThatIsNotWhoItShouldBeIsNotAsked() {
    join(true, tls("mallory"));
    assertThatThrownBy(() -> join(false, tls("worker")).oracle().next())
        .satisfies(CoordinatorTrustTest::isNotTrusted);
  }

  @Test
  void aCoordinatorWithoutTlsIsNotAskedByWhoHasIt() {
    Participant leader = join(true, Trust.NONE);
    assertThatThrownBy(() -> join(false, tls("worker")).oracle().next())
        .satisfies(CoordinatorTrustTest::isNotTrusted)
        .hasMessageContaining("all processes or none have TLS");
    awaitTurnedAway(leader, 1);
  }

  @Test
  void bytesThatAreNoTlsEndTheConnectionOnly() throws IOException {
    Participant leader = join(true, tls("manager"));
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20; i++) {
      byte[] bytes = new byte[8 + random.nextInt(400)];
      random.nextBytes(bytes);
      assertThat(answerTo(bytes, leader.port())).hasSizeLessThan(64);
    }
    while (turnedAway(leader) == 0) {
      Thread.onSpinWait();
    }
    assertThat(join(false, tls("worker")).oracle().next()).isPositive();
  }

  /** All that comes back until the connection ends. */
  private static byte[] answerTo(byte[] bytes, int port) throws IOException {
    try (Socket socket = new Socket(HERE, port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return socket.getInputStream().readAllBytes();
    } catch (java.net.SocketException e) {
      return new byte[0];
    }
  }

  @Test
  void whereOtherMachinesReachItACoordinatorAsksWhoComes() throws Exception {
    InetAddress everywhere = InetAddress.getByName("0.0.0.0");
    assertThatThrownBy(() -> new Participant.Terms(LEASE, true, everywhere, 0, 1, Trust.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cluster.tls-certificate")
        .hasMessageContaining("cluster.open");
    new Participant.Terms(LEASE, false, everywhere, 0, 1, Trust.NONE);
    new Participant.Terms(LEASE, true, everywhere, 0, 1, tls("manager"));
    new Participant.Terms(LEASE, true, everywhere, 0, 1, new Trust(Optional.empty(), true));
  }

  @Test
  void whoDoesNotSayWhoItIsDoesNotKeepItsConnection() throws IOException {
    AtomicLong time = new AtomicLong();
    ManualSeams seams = new ManualSeams(time, 1, 1);
    try (CoordinatorServer server =
            new CoordinatorServer(HERE, 0, Trust.NONE, seams, "token", () -> null);
        Socket silent = new Socket(HERE, server.port())) {
      silent.setSoTimeout(20_000);
      InputStream answers = silent.getInputStream();
      while (server.connections() == 0) {
        Thread.onSpinWait();
      }
      time.addAndGet(Duration.ofSeconds(11).toNanos());
      server.endGone(token -> true);
      assertThat(answers.read()).isEqualTo(-1);
      while (server.turnedAway() == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private Leadership leadership() {
    SystemSeams real = new SystemSeams();
    InProcessCoordination own = new InProcessCoordination(place, "leader");
    String token = own.liveness().token();
    Lease lease =
        new Lease(own.register(Coordinator.REGISTER), real, Duration.ofHours(1), token, "here 1");
    assertThat(lease.tryTake()).isTrue();
    return new Leadership(new LocalOracle(new StoreTimestampBound(store), real), lease, real, 16);
  }

  /** Fault 62. */
  @Test
  void halfARequestDoesNotKeepItsConnection() throws Exception {
    AtomicLong time = new AtomicLong();
    ManualSeams seams = new ManualSeams(time, 1, 1);
    Leadership held = leadership();
    try (CoordinatorServer server =
            new CoordinatorServer(HERE, 0, Trust.NONE, seams, "token", () -> held);
        Socket half = new Socket(HERE, server.port());
        Socket idle = new Socket(HERE, server.port())) {
      for (Socket each : List.of(half, idle)) {
        each.setSoTimeout(20_000);
        DataOutputStream to = new DataOutputStream(each.getOutputStream());
        to.writeLong(Frames.MAGIC);
        Frames.writeText(to, "token");
        Frames.writeText(to, "");
        assertThat(each.getInputStream().read()).isEqualTo(Frames.DONE);
      }
      while (server.asking() != 0) {
        Thread.onSpinWait();
      }
      half.getOutputStream().write(Frames.LOCKS);
      while (server.asking() != 1) {
        Thread.onSpinWait();
      }
      time.addAndGet(Duration.ofSeconds(119).toNanos());
      server.endGone(token -> true);
      assertThat(server.connections()).isEqualTo(2);
      time.addAndGet(Duration.ofSeconds(2).toNanos());
      server.endGone(token -> true);
      assertThat(half.getInputStream().read()).isEqualTo(-1);
      // Silence between two requests is nothing bad.
      idle.getOutputStream().write(Frames.LAST_ISSUED);
      assertThat(idle.getInputStream().read()).isEqualTo(Frames.DONE);
    }
  }

  /** Fault 62: so many connections that the system has no more threads. */
  @Test
  void theDoorStaysOpenWhenThereAreNoMoreThreads() throws IOException {
    AtomicInteger refusals = new AtomicInteger(1);
    ManualSeams seams =
        new ManualSeams(new AtomicLong(), 1, 1) {
          @Override
          public Task start(String name, Runnable body) {
            if (name.equals("braid-coordinator-client") && refusals.getAndDecrement() > 0) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            return super.start(name, body);
          }
        };
    try (CoordinatorServer server =
            new CoordinatorServer(HERE, 0, Trust.NONE, seams, "token", () -> null);
        Socket refused = new Socket(HERE, server.port());
        Socket next = new Socket(HERE, server.port())) {
      refused.setSoTimeout(20_000);
      next.setSoTimeout(20_000);
      assertThat(refused.getInputStream().read()).isEqualTo(-1);
      new DataOutputStream(next.getOutputStream()).writeLong(0);
      assertThat(next.getInputStream().read()).isEqualTo(Frames.OTHER_RELEASE);
      while (server.turnedAway() < 2) { // it is told first, and counted then
        Thread.onSpinWait();
      }
    }
  }
}
