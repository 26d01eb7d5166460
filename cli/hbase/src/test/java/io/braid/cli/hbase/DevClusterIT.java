package io.braid.cli.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.backup.Backup;
import io.braid.cli.Main;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A real HBase over a real HDFS, in processes of their own, and two databases connected to it as
 * two processes would be. Faults 2, 14, 17 and 30: a region server is killed, a region moves, the
 * coordinator leaves, a worker is killed.
 */
@Timeout(600)
class DevClusterIT {
  private static final int TRANSACTIONS = 25;
  private static final int CHANGES = 40;
  private static final Column<Long> COUNT = Column.of("stats", "count", Codecs.int64());
  private static final Row ROW = Row.of("pages", "home");
  private static final Row OTHER = Row.of("pages", "zoo");

  @TempDir Path data;

  private String braid(int code, String... arguments) {
    StringWriter out = new StringWriter();
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addAll(List.of("--data", data.toString()));
    CommandLine braid = Main.commandLine();
    braid.setOut(new PrintWriter(out)).setErr(new PrintWriter(System.err));
    assertThat(braid.execute(command.toArray(String[]::new))).isEqualTo(code);
    return out.toString();
  }

  private Braid connect() {
    String site = DatabaseOptions.clusterIn(data).resolve("hbase-site.xml").toString();
    return Braid.connect(
        BraidConfig.defaults().with(Setting.HBASE_SITE, site).with(Setting.CLUSTER_LEASE, "1 s"));
  }

  @AfterEach
  void killAll() {
    ClusterHome home = new ClusterHome(DatabaseOptions.clusterIn(data).toAbsolutePath());
    if (home.isThere()) {
      home.processes().forEach(each -> each.find().ifPresent(DevClusterIT::kill));
    }
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    ClusterProcess.awaitEnd(process, Duration.ofSeconds(20));
  }

  @Test
  void noIncrementIsLostThroughKillMoveAndChangeOfTheCoordinator() throws Exception {
    braid(ExitCode.DONE, "dev-cluster", "start", "--servers", "2", "--hdfs");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Braid second = connectAfterFirst()) {
      braid(ExitCode.DONE, "dev-cluster", "split", "pages", "m");
      List<Future<Long>> ends = new ArrayList<>();
      try (Braid third = connect()) {
        for (Braid db : List.of(second, third, second, third)) {
          ends.add(threads.submit(increments(db)));
        }
        assertThat(second.operations().coordinator().processes()).hasSize(2);
        braid(ExitCode.DONE, "dev-cluster", "move", "pages", "zoo", "rs1");
        braid(ExitCode.DONE, "dev-cluster", "kill", "rs1");
        long expected = 0;
        for (Future<Long> end : ends) {
          expected += end.get();
        }
        assertThat(expected).isEqualTo(4 * TRANSACTIONS);
        assertThat(read(second)).isEqualTo(expected);
        assertThat(read(third)).isEqualTo(expected);
      }
      assertThat(braid(ExitCode.UNAVAILABLE, "dev-cluster", "status"))
          .contains("rs1        does not run", "rs2        runs as process");
      observersGoOnWithoutAWorkerThatWasKilled(second);
      aBackupOfRowsComesBackHereAndElsewhere(second, threads);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Both rows of each increment are in a backup that is made meanwhile, or neither. */
  private void aBackupOfRowsComesBackHereAndElsewhere(Braid db, ExecutorService threads)
      throws Exception {
    long before = read(db);
    String folder = data.resolve("backup").toString();
    Future<Long> writer = threads.submit(increments(db));
    String made = braid(ExitCode.DONE, "backup", folder, "--store", "hbase", "--json");
    assertThat(made).contains("\"pages\":2");
    writer.get();
    assertThat(db.transactions().pins()).isEmpty();
    Path copy = data.resolve("copy");
    new Backup((step, done) -> {}).restore(Path.of(folder), copy);
    long backedUp;
    try (Braid embedded = Braid.open(copy)) {
      backedUp = read(embedded);
    }
    assertThat(backedUp).isBetween(before, before + TRANSACTIONS);
    braid(ExitCode.FAILED, "restore", folder, "--store", "hbase");
    for (String table : List.of("pages", DoublingApp.TABLE)) {
      db.dropTable(table);
    }
    assertThat(braid(ExitCode.DONE, "restore", folder, "--store", "hbase", "--json"))
        .contains("\"pages\":2");
    try (Braid again = connect()) {
      assertThat(read(again)).isEqualTo(backedUp);
      assertThat(increment(again)).isTrue();
    }
  }

  /** Nobody but workers in processes of their own runs the observer. */
  private void observersGoOnWithoutAWorkerThatWasKilled(Braid db) throws Exception {
    new DoublingApp().register(db);
    Process killed = startWorker();
    Process other = startWorker();
    try {
      write(db, 0, CHANGES);
      awaitDoubled(db, 1);
      killed.destroyForcibly();
      write(db, CHANGES, 2 * CHANGES);
      awaitDoubled(db, 2 * CHANGES);
    } finally {
      killed.destroyForcibly();
      other.destroyForcibly();
    }
  }

  private Process startWorker() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-opens",
            "java.base/java.nio=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "io.braid.cli.Main",
            "worker",
            "--app",
            DoublingApp.class.getName(),
            "--store",
            "hbase",
            "--data",
            data.toString())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static Row numbered(long number) {
    return Row.of(DoublingApp.TABLE, "row" + number);
  }

  private static void write(Braid db, long from, long to) {
    for (long i = from; i < to; i++) {
      long number = i;
      db.run(
          tx -> {
            tx.set(numbered(number), DoublingApp.NUMBER, number);
            return true;
          });
    }
  }

  /** Until at least so many numbers are doubled, all of them rightly. */
  private static void awaitDoubled(Braid db, int least) {
    int doubled = 0;
    while (doubled < least) {
      ClusterAdmin.pause();
      doubled = 0;
      try (Snapshot now = db.snapshot()) {
        for (long i = 0; i < 2 * CHANGES; i++) {
          Optional<Long> twice = now.get(numbered(i), DoublingApp.DOUBLE);
          if (twice.isPresent()) {
            assertThat(twice).contains(2 * i);
            doubled++;
          }
        }
      }
    }
  }

  /** The first, which was the leader, has left when the second begins to work. */
  private Braid connectAfterFirst() {
    Braid second;
    try (Braid first = connect()) {
      first.ensureTable("pages", "stats");
      second = connect();
      long before = first.oracle().next();
      assertThat(second.oracle().next()).isGreaterThan(before);
    }
    return second;
  }

  /** How many increments of both rows are known to have been committed. */
  private static Callable<Long> increments(Braid db) {
    return () -> {
      long done = 0;
      while (done < TRANSACTIONS) {
        done += increment(db) ? 1 : 0;
      }
      return done;
    };
  }

  private static boolean increment(Braid db) {
    try {
      db.run(
          tx -> {
            for (Row row : List.of(ROW, OTHER)) {
              tx.set(row, COUNT, tx.get(row, COUNT).orElse(0L) + 1);
            }
            return true;
          });
      return true;
    } catch (CommitOutcomeUnknownException e) {
      return db.transactions().outcome(e.id()) instanceof TransactionOutcome.Committed;
    } catch (io.braid.core.transaction.ConflictException
        | io.braid.core.store.TabletUnavailableException e) {
      return false;
    }
  }

  private static long read(Braid db) {
    try (Snapshot now = db.snapshot()) {
      long count = now.get(ROW, COUNT).orElse(0L);
      assertThat(now.get(OTHER, COUNT).orElse(0L)).isEqualTo(count);
      return count;
    }
  }

  @Test
  void aClusterThatIsNotThereIsSaidToBeMissing() {
    assertThat(Bytes.of(braid(ExitCode.FAILED, "dev-cluster", "status"))).isEqualTo(Bytes.EMPTY);
  }
}
