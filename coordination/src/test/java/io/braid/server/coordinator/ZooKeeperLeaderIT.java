package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.omid.OmidTransactions;
import io.braid.server.coordination.Coordination;
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
import java.net.InetAddress;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers of ZooKeeper, whose leader is killed under a pair of transaction managers, all in
 * processes of their own.
 */
@Timeout(120)
class ZooKeeperLeaderIT {
  private static final int SERVERS = 3;
  private static final int MORE = 50;

  @TempDir Path directory;
  private final RealProcesses processes = new RealProcesses();
  private final List<Server> servers = new ArrayList<>();

  private record Server(Process process, int port) {
    /** Whether it says that it leads; false when it says nothing. */
    boolean leads() {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(1000);
        socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return answer.contains("Mode: leader");
      } catch (IOException e) {
        return false;
      }
    }
  }

  @AfterEach
  void stopAll() {
    processes.close();
  }

  private void startServers() throws IOException {
    List<Integer> ports = freePorts(SERVERS * 3);
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < SERVERS; i++) {
      members.append("server.").append(i + 1).append("=127.0.0.1:").append(ports.get(3 * i + 1));
      members.append(':').append(ports.get(3 * i + 2)).append('\n');
    }
    for (int i = 0; i < SERVERS; i++) {
      Path data = Files.createDirectories(directory.resolve("zk" + i));
      Files.writeString(data.resolve("myid"), String.valueOf(i + 1));
      Path settings = directory.resolve("zoo" + i + ".cfg");
      Files.writeString(
          settings,
          String.join(
              "\n",
              "dataDir=" + data,
              "clientPort=" + ports.get(3 * i),
              "clientPortAddress=127.0.0.1",
              "tickTime=500",
              "initLimit=20",
              "syncLimit=4",
              "4lw.commands.whitelist=srvr",
              "admin.enableServer=false",
              members));
      Process process =
          processes.java("org.apache.zookeeper.server.quorum.QuorumPeerMain", settings.toString());
      servers.add(new Server(process, ports.get(3 * i)));
    }
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        ServerSocket free = new ServerSocket(0);
        held.add(free);
        ports.add(free.getLocalPort());
      }
    } finally {
      for (ServerSocket each : held) {
        each.close();
      }
    }
    return ports;
  }

  private String addresses() {
    return String.join(",", servers.stream().map(each -> "127.0.0.1:" + each.port).toList());
  }

  private Server leader() {
    RealProcesses.until(() -> servers.stream().anyMatch(Server::leads));
    return servers.stream().filter(Server::leads).findFirst().orElseThrow();
  }

  /**
   * Faults 2, 3, 4, 7: commits go on after a short pause, nothing is lost and nothing is there
   * twice; and with the two servers that are left the second manager still takes over from the
   * first.
   */
  @Test
  void commitsGoOnWhenTheLeaderIsKilled() throws IOException {
    startServers();
    leader();
    for (int i = 0; i < 2; i++) {
      processes.child(addresses());
    }
    processes.children().forEach(RealProcesses.Child::awaitMore);
    List<HistoryEntry> history = Collections.synchronizedList(new ArrayList<>());
    OpenEntries entries = new OpenEntries(history::add);
    try (Coordination own =
            ZooKeeperCoordination.join(
                addresses(), RealProcesses.ROOT, TimestampProcess.SESSION, "clients");
        MemoryStore store = new MemoryStore();
        Participant participant = TimestampProcess.client(own)) {
      store.advanceClock(participant.oracle().next());
      Workload workload = Workload.of("append", 40, 4);
      workload.tables().forEach(table -> table.createIn(store));
      Seams seams = participant.seams();
      try (OmidTransactions db = TimestampProcess.transactions(store, participant)) {
        Journal journal = new Journal(seams::nanoTime, Journal.Origin.ZERO, entries);
        WorkloadRun run = new WorkloadRun(workload, db, seams, journal, 5);
        run.prepare();
        AtomicBoolean enough = new AtomicBoolean();
        Task clients = seams.start("clients", () -> work(run, seams, enough));
        awaitMore(journal);

        Server killed = leader();
        killed.process.destroyForcibly().onExit().orTimeout(60, TimeUnit.SECONDS).join();
        awaitMore(journal);
        assertThat(leader()).isNotEqualTo(killed);
        awaitMore(journal);

        RealProcesses.Child primary = processes.coordinator(own);
        primary.signal("KILL");
        processes.others(primary).forEach(RealProcesses.Child::awaitMore);
        assertThat(processes.coordinator(own)).isNotSameAs(primary);
        awaitMore(journal);
        enough.set(true);
        clients.join(Duration.ofMinutes(1));
        run.audit();
      }
    }
    entries.giveUp();
    processes.assertOrdered();
    Verdict verdict = HistoryChecker.check(history);
    assertThat(verdict.valid()).as(verdict.toText()).isTrue();
    // Longer than the election of another leader, or the lease of the manager, takes.
    assertThat(RealProcesses.longestPause(history))
        .isLessThan(TimestampProcess.LEASE.plusSeconds(5));
  }

  /** Many short rounds, so that there is something under way whenever something dies. */
  private static void work(WorkloadRun run, Seams seams, AtomicBoolean enough) {
    while (!enough.get()) {
      run.run(4, 8);
      seams.sleep(Duration.ofMillis(20));
    }
  }

  private static void awaitMore(Journal journal) {
    long before = journal.committed();
    RealProcesses.until(() -> journal.committed() >= before + MORE);
  }
}
