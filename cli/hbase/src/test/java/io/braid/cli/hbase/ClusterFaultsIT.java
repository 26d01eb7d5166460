package io.braid.cli.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.batch.engine.EngineWrites;
import io.braid.cli.Main;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.store.hbase.HBaseOptions;
import io.braid.store.hbase.HBaseStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A real HBase and its clients in processes of their own, which are killed (SIGKILL) or stand still
 * (SIGSTOP). Faults 2, 3, 9, 14, 17 and 22: what clients saw is judged. Fault 44: of what a process
 * left in the middle of a long step a table is as it was, or as it should be, and nothing stays
 * behind in it.
 */
@Tag("drill")
@Timeout(600)
class ClusterFaultsIT {
  private static final String TABLE = DyingDriver.TABLE;
  private static final Column<String> NAME = Column.of("info", "name", Codecs.utf8());
  private static final String OTHER = "copy";
  private static final int BEFORE = 40;
  private static final int LOADED = 1000;
  private static final long COORDINATOR_FIRST = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path data;

  private final List<Process> processes = new ArrayList<>();

  private record Said(int code, String text) {}

  private static Said run(String line) {
    StringWriter out = new StringWriter();
    CommandLine braid = Main.commandLine();
    braid.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    int code = braid.execute((line + " --data " + data).split(" "));
    return new Said(code, out.toString());
  }

  private static String braid(String line) {
    Said said = run(line);
    assertThat(said.code()).as(line + ": " + said.text()).isEqualTo(ExitCode.DONE);
    return said.text();
  }

  private static Path site() {
    return DatabaseOptions.clusterIn(data).resolve("hbase-site.xml");
  }

  private static Braid connect(String namespace) {
    return Braid.connect(
        BraidConfig.defaults()
            .with(Setting.HBASE_SITE, site().toString())
            .with(Setting.HBASE_NAMESPACE, namespace));
  }

  @BeforeAll
  static void start() {
    braid("dev-cluster start --servers 2");
  }

  @AfterEach
  void killClients() {
    processes.forEach(each -> kill(each.toHandle()));
  }

  @AfterAll
  static void killCluster() {
    ClusterHome home = new ClusterHome(DatabaseOptions.clusterIn(data).toAbsolutePath());
    if (home.isThere()) {
      home.processes().forEach(each -> each.find().ifPresent(ClusterFaultsIT::kill));
    }
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    ClusterProcess.awaitEnd(process, Duration.ofSeconds(20));
  }

  private Process start(String main, String arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("--add-opens", "java.base/java.nio=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments.split(" ")));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    processes.add(process);
    return process;
  }

  /** Kills a process when it has come so far; one that ends before was too fast for that. */
  private static void killWhen(Process process, BooleanSupplier far) throws InterruptedException {
    while (process.isAlive() && !far.getAsBoolean()) {
      process.waitFor(10, TimeUnit.MILLISECONDS);
    }
    kill(process.toHandle());
  }

  private static Row row(int i) {
    return Row.of(TABLE, DyingDriver.key(i));
  }

  private static Map<String, String> names(Braid db) {
    Map<String, String> names = new TreeMap<>();
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of(TABLE).column(NAME))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        names.put(row.row().key().toUtf8(), row.get(NAME).orElseThrow());
      }
    }
    return names;
  }

  /** How many rows something stands in that is not committed. */
  private static int staged(Braid db) {
    int rows = 0;
    ScanRequest request =
        ScanRequest.of(TABLE, KeyRange.ALL, Selection.family(Families.INTENT).newest(1));
    try (RowScanner scanner = db.store().scan(request)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private static Map<String, String> fill(Braid db) {
    db.dropTable(TABLE);
    db.ensureTable(TABLE, "info");
    db.store().splitTablet(TABLE, DyingDriver.key(LOADED / 2));
    db.run(
        tx -> {
          for (int i = 0; i < BEFORE; i++) {
            tx.set(row(2 * i), NAME, "before");
          }
          return 0;
        });
    return names(db);
  }

  /** The coordinator first: it wakes up, deposed, while all others go on. */
  @Test
  void whatClientsSawIsValidThoughTheCoordinatorStoodStillAndOneOfThemWasKilled() {
    String judged =
        braid(
            "dev-cluster faults --for 24s --every 4s --most 4 --processes 2 --clients 3 --keys 30"
                + " --kinds pause_coordinator,kill_client,move,split --json --seed "
                + COORDINATOR_FIRST
                + " --out "
                + data.resolve("history.jsonl"));
    assertThat(judged).contains("\"valid\":true");
  }

  @Test
  void whatAKilledDriverLeftIsClearedAwayOrTakenToItsEnd() throws Exception {
    StringBuilder text = new StringBuilder("id,name\n");
    Map<String, String> loaded = new TreeMap<>();
    for (int i = 0; i < LOADED; i++) {
      loaded.put(row(i).key().toUtf8(), "name " + i);
      text.append(row(i).key().toUtf8()).append(",name ").append(i).append('\n');
    }
    Path in = Files.writeString(data.resolve("in.csv"), text);
    try (Braid db = connect("braid")) {
      Map<String, String> before = fill(db);

      Process driver = start(DyingDriver.class.getName(), site().toString());
      assertThat(driver.inputReader().readLine()).isEqualTo("staged");
      kill(driver.toHandle());
      assertThat(staged(db)).isEqualTo(DyingDriver.ROWS);
      assertThat(braid("job writes --store hbase")).contains(DyingDriver.WRITE);
      assertThat(braid("job reclaim " + DyingDriver.WRITE + " --force --store hbase"))
          .contains("no reader has seen any of it");
      assertUntouched(db, before);
      assertThat(new EngineWrites(db.loads()).all()).isEmpty();

      killLoad(db, in, "given-up");
      braid("job cancel given-up --store hbase --jobs " + data.resolve("jobs"));
      assertUntouched(db, before);

      killLoad(db, in, "resumed");
      braid("job resume resumed --store hbase --jobs " + data.resolve("jobs"));
      assertUntouched(db, loaded);
    }
  }

  private void killLoad(Braid db, Path in, String job) throws IOException, InterruptedException {
    Process load =
        start(
            "io.braid.cli.Main",
            String.format(
                "load %s %s --key id --family info --job %s --atomic --throttle 150/s"
                    + " --task-size 10000 --store hbase --data %s --jobs %s",
                TABLE, in, job, data, data.resolve("jobs")));
    killWhen(load, () -> staged(db) > 0);
  }

  private static void assertUntouched(Braid db, Map<String, String> names) {
    assertThat(names(db)).isEqualTo(names);
    assertThat(staged(db)).isZero();
    assertThat(db.transactions().pins()).isEmpty();
  }

  @Test
  void aRestoreThatWasKilledIsBegunAgainAndNobodySeesHalfOfIt() throws Exception {
    Map<String, String> before;
    try (Braid db = connect("braid")) {
      before = fill(db);
      assertThat(braid("backup --snapshot monday --store hbase")).contains("Made snapshot monday");
      db.run(
          tx -> {
            tx.set(row(1), NAME, "after");
            return 0;
          });
    }
    Path config = Files.writeString(data.resolve("copy.conf"), "hbase.namespace = " + OTHER + "\n");
    String restore = "restore --snapshot monday --store hbase --config " + config;
    boolean marked;
    try (HBaseStore copy =
        HBaseStore.connectToThaw(
            new ClusterHome(DatabaseOptions.clusterIn(data)).configuration(),
            HBaseOptions.DEFAULT.withNamespace(OTHER))) {
      Process restoring = start("io.braid.cli.Main", restore + " --data " + data);
      killWhen(restoring, () -> !copy.thawing().isEmpty() && !copy.tables().isEmpty());
      marked = !copy.thawing().isEmpty();
    }
    if (marked) {
      assertThatThrownBy(() -> connect(OTHER).close())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is being restored from snapshot monday");
      restoreAgain(restore);
    }
    try (Braid db = connect(OTHER)) {
      assertUntouched(db, before);
    }
    braid("backup --snapshot monday --delete --store hbase");
    assertThat(braid("backup --snapshots --store hbase")).contains("There is no snapshot");
  }

  /** The one that was killed counts as there until its session ends. */
  private void restoreAgain(String restore) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Said said = run(restore);
    while (said.code() != ExitCode.DONE && System.nanoTime() < end) {
      assertThat(said.text()).contains("The database is in use, by process");
      Thread.sleep(500);
      said = run(restore);
    }
    assertThat(said.text()).contains("Restored snapshot monday");
  }
}
