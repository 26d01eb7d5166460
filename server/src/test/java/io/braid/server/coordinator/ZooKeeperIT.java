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
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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
  private static final String ROOT = "/braid/test";
  private static final int COMMITS = 2000;

  @TempDir Path directory;
  private final List<Process> started = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();
  private final Queue<Received> received = new ConcurrentLinkedQueue<>();
  private String servers = "";

  /** A timestamp, and between which instants it was drawn. */
  private record Received(Child by, long asked, long timestamp, long answered) {}

  private final class Child {
    private final Process process = java(TimestampProcess.class.getName(), servers, ROOT);
    private volatile String token = "";
    private volatile long count;

    Child() {
      Thread reader = new Thread(this::read, "reader");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] words = line.split(" ");
          if (words[0].equals("token")) {
            token = words[1];
          } else if (words.length == 3 && !words[0].equals("none")) {
            received.add(
                new Received(
                    this,
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2])));
            count++;
          }
        }
      } catch (IOException e) {
        // It was killed.
      }
    }

    private void signal(String name) {
      try {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void awaitMore() {
      long before = count;
      until(() -> count > before + 20);
    }
  }

  private Process java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      started.add(process);
      return process;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void until(BooleanSupplier condition) {
    try {
      while (!condition.getAsBoolean()) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("Waited too long.", e);
    }
  }

  @BeforeEach
  void startZooKeeper() throws IOException {
    int port;
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
    java("org.apache.zookeeper.server.ZooKeeperServerMain", settings.toString());
    servers = "127.0.0.1:" + port;
  }

  @AfterEach
  void stopAll() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void timestampsRiseThroughAStoppedAndAKilledCoordinator() {
    try (Coordination watching =
        ZooKeeperCoordination.join(servers, ROOT, TimestampProcess.SESSION, "watching")) {
      for (int i = 0; i < 3; i++) {
        children.add(new Child());
      }
      children.forEach(Child::awaitMore);

      Child stopped = coordinator(watching);
      stopped.signal("STOP");
      others(stopped).forEach(Child::awaitMore);
      stopped.signal("CONT");
      stopped.awaitMore();

      Child killed = coordinator(watching);
      assertThat(killed).isNotSameAs(stopped);
      assertThat(watching.members()).hasSize(4);
      killed.signal("KILL");
      others(killed).forEach(Child::awaitMore);
      until(() -> !watching.liveness().isAlive(killed.token));
      assertThat(watching.members()).hasSize(3);
    }
    assertOrdered();
  }

  /**
   * Faults 2, 3, 4, 7: the transaction manager is killed, and stands still beyond its lease, while
   * clients commit. Another takes over, which knows none of the commits before it; nothing is lost
   * and nothing is there twice.
   */
  @Test
  void commitsGoOnThroughAStoppedAndAKilledManager() {
    for (int i = 0; i < 2; i++) {
      children.add(new Child());
    }
    children.forEach(Child::awaitMore);
    List<HistoryEntry> history = Collections.synchronizedList(new ArrayList<>());
    OpenEntries entries = new OpenEntries(history::add);
    try (Coordination own =
            ZooKeeperCoordination.join(servers, ROOT, TimestampProcess.SESSION, "clients");
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
        Child stopped = coordinator(own);
        stopped.signal("STOP");
        awaitCommits(journal, COMMITS / 2);
        stopped.signal("CONT");
        stopped.awaitMore();
        Child killed = coordinator(own);
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
    assertThat(longestPause(history)).isLessThan(TimestampProcess.LEASE.plusSeconds(5));
  }

  private static void awaitCommits(Journal journal, long count) {
    until(() -> journal.committed() >= count);
  }

  /** The longest time in which nothing committed. */
  private static Duration longestPause(List<HistoryEntry> history) {
    long[] ends =
        history.stream()
            .filter(entry -> entry.type() == HistoryEntry.Type.OK)
            .mapToLong(HistoryEntry::end)
            .sorted()
            .toArray();
    long longest = 0;
    for (int i = 1; i < ends.length; i++) {
      longest = Math.max(longest, ends[i] - ends[i - 1]);
    }
    System.out.println("longest pause " + longest / 1_000_000 + " ms");
    return Duration.ofNanos(longest);
  }

  private Child coordinator(Coordination watching) {
    String holder =
        LeaseRecord.decode(watching.register(Coordinator.REGISTER).read().value()).holder();
    return children.stream().filter(child -> child.token.equals(holder)).findFirst().orElseThrow();
  }

  private List<Child> others(Child than) {
    return children.stream().filter(child -> child != than).toList();
  }

  /** Whoever asked after somebody had got an answer, got a higher one. */
  private void assertOrdered() {
    List<Received> byAsked = new ArrayList<>(received);
    List<Received> byAnswered = new ArrayList<>(received);
    byAsked.sort(Comparator.comparingLong(Received::asked));
    byAnswered.sort(Comparator.comparingLong(Received::answered));
    long highest = 0;
    int next = 0;
    for (Received each : byAsked) {
      while (byAnswered.get(next).answered() < each.asked()) {
        highest = Math.max(highest, byAnswered.get(next++).timestamp());
      }
      assertThat(each.timestamp()).isGreaterThan(highest);
    }
    assertThat(byAsked.stream().map(Received::timestamp).distinct()).hasSize(byAsked.size());
  }
}
