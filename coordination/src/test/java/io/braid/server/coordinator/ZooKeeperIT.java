package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.TabletUnavailableException;
import io.braid.omid.OmidTransactions;
import io.braid.server.coordination.Coordination;
import io.braid.server.coordination.Register;
import io.braid.server.coordination.zookeeper.ZooKeeperCoordination;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.workload.Journal;
import io.braid.testkit.workload.OpenEntries;
import io.braid.testkit.workload.Workload;
import io.braid.testkit.workload.WorkloadRun;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ZooKeeper in its own process, and processes that are stopped and killed. Faults 2 and 3 on real
 * processes.
 */
@Timeout(120)
class ZooKeeperIT {
  private static final int COMMITS = 2000;

  @TempDir Path directory;
  private final RealProcesses processes = new RealProcesses();
  private String servers = "";
  private int port;

  @BeforeEach
  void startZooKeeper() throws Exception {
    Process started = start();
    while (!isOpen()) {
      if (!started.isAlive()) {
        started = start(); // another process took the port
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean isOpen() {
    try (Socket there = new Socket()) {
      there.connect(new InetSocketAddress("127.0.0.1", port), 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Process start() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Path settings = directory.resolve("zoo.cfg");
    Files.writeString(
        settings,
        String.join(
            "\n",
            "dataDir=" + directory.resolve("zk"),
            "clientPort=" + port,
            "clientPortAddress=127.0.0.1",
            "tickTime=1000",
            "admin.enableServer=false",
            ""));
    servers = "127.0.0.1:" + port;
    return processes.java("org.apache.zookeeper.server.ZooKeeperServerMain", settings.toString());
  }

  @AfterEach
  void stopAll() {
    processes.close();
  }

  @Test
  void timestampsRiseThroughAStoppedAndAKilledCoordinator() {
    try (Coordination watching =
        ZooKeeperCoordination.join(
            servers, RealProcesses.ROOT, TimestampProcess.SESSION, "watching")) {
      for (int i = 0; i < 3; i++) {
        processes.child(servers);
      }
      processes.children().forEach(RealProcesses.Child::awaitMore);

      RealProcesses.Child stopped = processes.coordinator(watching);
      stopped.signal("STOP");
      processes.others(stopped).forEach(RealProcesses.Child::awaitMore);
      stopped.signal("CONT");
      stopped.awaitMore();

      RealProcesses.Child killed = processes.coordinator(watching);
      assertThat(killed).isNotSameAs(stopped);
      assertThat(watching.members()).hasSize(4);
      killed.signal("KILL");
      processes.others(killed).forEach(RealProcesses.Child::awaitMore);
      RealProcesses.until(() -> !watching.liveness().isAlive(killed.token));
      assertThat(watching.members()).hasSize(3);
    }
    processes.assertOrdered();
  }

  /** Background work may still be ending then. */
  @Test
  void whoHasLeftIsToldThatNothingAnswers() {
    Coordination left =
        ZooKeeperCoordination.join(
            servers, RealProcesses.ROOT, TimestampProcess.SESSION, "leaving");
    Register register = left.register("left");
    left.close();
    assertThatThrownBy(register::read)
        .isInstanceOf(TabletUnavailableException.class)
        .hasMessageContaining("has left");
  }

  /** Fault 76: where ZooKeeper knows its users, nobody else changes what is Braid's. */
  @Test
  void strangersChangeNothingOfAUserWhoHasAName() throws Exception {
    Bytes value = Bytes.of("kept");
    try (Coordination nameless =
        ZooKeeperCoordination.join(
            servers, RealProcesses.ROOT, TimestampProcess.SESSION, "nameless")) {
      assertThat(nameless.register("old").replace(Register.Entry.NONE, value)).isTrue();
    }
    byte[] user = "braid:secret".getBytes(StandardCharsets.UTF_8);
    try (Coordination named =
            ZooKeeperCoordination.join(
                CuratorFrameworkFactory.builder().authorization("digest", user),
                servers,
                RealProcesses.ROOT,
                TimestampProcess.SESSION,
                "named");
        CuratorFramework stranger =
            CuratorFrameworkFactory.newClient(servers, new RetryOneTime(100))) {
      assertThat(named.register("new").replace(Register.Entry.NONE, value)).isTrue();
      stranger.start();
      for (String name : List.of("old", "new")) {
        String path = RealProcesses.ROOT + "/" + name;
        assertThatThrownBy(() -> stranger.setData().forPath(path, new byte[1]))
            .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> stranger.delete().forPath(path))
            .isInstanceOf(KeeperException.NoAuthException.class);
        assertThat(named.register(name).read().value()).isEqualTo(value);
      }
      assertThatThrownBy(() -> stranger.create().forPath(RealProcesses.ROOT + "/alive/forged"))
          .isInstanceOf(KeeperException.NoAuthException.class);
      assertThat(stranger.create().forPath("/braid/another")).isNotEmpty();
    }
  }

  /**
   * Faults 2, 3, 4, 7: the transaction manager is killed, and stands still beyond its lease, while
   * clients commit. Another takes over, which knows none of the commits before it; nothing is lost
   * and nothing is there twice.
   */
  @Test
  void commitsGoOnThroughAStoppedAndAKilledManager() {
    for (int i = 0; i < 2; i++) {
      processes.child(servers);
    }
    processes.children().forEach(RealProcesses.Child::awaitMore);
    List<HistoryEntry> history = Collections.synchronizedList(new ArrayList<>());
    OpenEntries entries = new OpenEntries(history::add);
    try (Coordination own =
            ZooKeeperCoordination.join(
                servers, RealProcesses.ROOT, TimestampProcess.SESSION, "clients");
        MemoryStore store = new MemoryStore();
        Participant participant = TimestampProcess.client(own)) {
      store.advanceClock(participant.oracle().next());
      Workload workload = Workload.of("append", 12, 4);
      workload.tables().forEach(table -> table.createIn(store));
      Seams seams = participant.seams();
      try (OmidTransactions db = TimestampProcess.transactions(store, participant)) {
        Journal journal = new Journal(seams::nanoTime, Journal.Origin.ZERO, entries);
        WorkloadRun run = new WorkloadRun(workload, db, seams, journal, 5);
        run.prepare();
        Task clients = seams.start("clients", () -> run.run(4, COMMITS));
        awaitCommits(journal, COMMITS / 4);
        RealProcesses.Child stopped = processes.coordinator(own);
        stopped.signal("STOP");
        awaitCommits(journal, COMMITS / 2);
        stopped.signal("CONT");
        stopped.awaitMore();
        RealProcesses.Child killed = processes.coordinator(own);
        assertThat(killed).isNotSameAs(stopped);
        assertThat(participant.figures().get(ManagerFigure.GRANTED)).isPositive();
        killed.signal("KILL");
        clients.join(Duration.ofMinutes(2));
        run.audit();
      }
    }
    entries.giveUp();
    Verdict verdict = HistoryChecker.check(history);
    assertThat(verdict.valid()).as(verdict.toText()).isTrue();
    // No client waits for a process that stands still for longer than its lease lasts.
    assertThat(RealProcesses.longestPause(history))
        .isLessThan(TimestampProcess.LEASE.plusSeconds(5));
  }

  private static void awaitCommits(Journal journal, long count) {
    RealProcesses.until(() -> journal.committed() >= count);
  }
}
