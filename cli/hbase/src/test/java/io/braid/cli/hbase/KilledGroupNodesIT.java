package io.braid.cli.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.GroupNodes;
import io.braid.Setting;
import io.braid.cli.Main;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.game.Players;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupScript;
import io.braid.groups.node.NodeInfo;
import io.braid.groups.node.RemoteGroups;
import io.braid.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Faults 38 and 39 with the store apart: group nodes in processes of their own, members of a real
 * ZooKeeper, on a real HBase. A node is killed while the store lives on, and joins again; a server
 * of the store is killed while the nodes live on. Players go on by themselves, and the chips add
 * up.
 */
@Timeout(600)
@Tag("drill")
class KilledGroupNodesIT {
  private static final int PLAYERS = 24;
  private static final int TABLES = 3;
  private static final long TURNS_BETWEEN = 25;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"]+)\"");

  @TempDir Path data;

  private final AtomicLongArray acknowledged = new AtomicLongArray(PLAYERS);
  private final AtomicLongArray unknown = new AtomicLongArray(PLAYERS);
  private final AtomicLong turns = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Process> nodes = new ArrayList<>();

  private void braid(String... arguments) {
    StringWriter out = new StringWriter();
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addAll(List.of("--data", data.toString()));
    CommandLine braid = Main.commandLine();
    braid.setOut(new PrintWriter(out)).setErr(new PrintWriter(System.err));
    assertThat(braid.execute(command.toArray(String[]::new))).isEqualTo(ExitCode.DONE);
  }

  private Braid connect() {
    String site = DatabaseOptions.clusterIn(data).resolve("hbase-site.xml").toString();
    return Braid.connect(BraidConfig.defaults().with(Setting.HBASE_SITE, site));
  }

  @AfterEach
  void killAll() {
    over.set(true);
    nodes.forEach(each -> kill(each.toHandle()));
    ClusterHome home = new ClusterHome(DatabaseOptions.clusterIn(data).toAbsolutePath());
    if (home.isThere()) {
      home.processes().forEach(each -> each.find().ifPresent(KilledGroupNodesIT::kill));
    }
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    ClusterProcess.awaitEnd(process, Duration.ofSeconds(20));
  }

  /** A node, and where clients reach it. */
  private record Node(Process process, String address) {}

  private Node start(String name) throws IOException {
    Path config = Files.writeString(data.resolve("braid.conf"), "cluster.lease = 1 s\n");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens",
                "java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.braid.cli.Main",
                "group-node",
                "--name",
                name,
                "--listen",
                "127.0.0.1:0",
                "--json",
                "--store",
                "hbase",
                "--config",
                config.toString(),
                "--data",
                data.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    nodes.add(process);
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher address = ADDRESS.matcher(line);
      if (address.find()) {
        return new Node(process, address.group(1));
      }
    }
    throw new AssertionError("Node " + name + " did not come up.");
  }

  @Test
  void playersGoOnWhenANodeOrAServerOfTheStoreIsKilledAndTheChipsAddUp() throws Exception {
    braid("dev-cluster", "start", "--servers", "2");
    try (Braid db = connect()) {
      Players.ensure(db, PLAYERS);
    }
    braid("dev-cluster", "split", Players.TABLE, "player-000012");
    Node first = start("first");
    Node second = start("second");
    List<Thread> tables = new ArrayList<>();
    try (RemoteGroups groups = (RemoteGroups) GroupNodes.connect(first.address, second.address)) {
      await("both are members", () -> names(groups).equals(List.of("first", "second")));
      Group low = groups.create(GroupRequest.of(List.of(Players.row(0))).named("low"));
      Group high = groups.create(GroupRequest.of(List.of(Players.row(23))).named("high"));
      for (int i = 0; i < TABLES; i++) {
        RandomGenerator random = Seeds.random(i + 1);
        Thread table = new Thread(() -> play(groups, random), "table-" + i);
        tables.add(table);
        table.start();
      }
      awaitMoreTurns();

      kill(first.process.toHandle());
      await("the other knows it", () -> names(groups).equals(List.of("second")));
      for (Group group : List.of(low, high)) {
        assertThat(turn(group, group.leader(), group.leader())).isTrue();
      }
      assertThat(List.of("low", "high"))
          .as("one of them had another leader")
          .anyMatch(name -> groups.find(name).orElseThrow().epoch() > 1);
      awaitMoreTurns();

      start("first");
      await("it has joined again", () -> names(groups).equals(List.of("first", "second")));
      braid("dev-cluster", "kill", "rs1");
      awaitMoreTurns();

      over.set(true);
      for (Thread table : tables) {
        table.join();
      }
      // What was asked for before a node died, and not answered, may be formed even now.
      await("nothing is left", () -> deleteAll(groups).isEmpty());
    }
    judge();
  }

  private static List<GroupInfo> deleteAll(RemoteGroups groups) {
    groups.list().forEach(groups::delete);
    return groups.list();
  }

  private static List<String> names(RemoteGroups groups) {
    try {
      return groups.nodes().stream().map(NodeInfo::name).sorted().toList();
    } catch (StoreException e) {
      return List.of();
    }
  }

  private void judge() {
    try (Braid db = connect();
        Snapshot now = db.snapshot()) {
      assertThat(Players.totals(db).balanced()).as("%s", Players.totals(db)).isTrue();
      for (int i = 0; i < PLAYERS; i++) {
        assertThat(now.get(Players.row(i), Players.TURNS).orElse(0L))
            .as("turns of player %s", i)
            .isBetween(acknowledged.get(i), acknowledged.get(i) + unknown.get(i));
      }
    }
  }

  private void play(RemoteGroups groups, RandomGenerator random) {
    while (!over.get()) {
      Set<Row> wanted = new LinkedHashSet<>();
      while (wanted.size() < 3) {
        wanted.add(Players.row(1 + random.nextInt(PLAYERS - 2)));
      }
      try (Group group = groups.create(GroupRequest.of(wanted).bestEffort())) {
        List<Row> seated = group.members().stream().sorted().toList();
        for (int i = 0; i < 8; i++) {
          turn(
              group,
              seated.get(random.nextInt(seated.size())),
              seated.get(random.nextInt(seated.size())));
        }
      } catch (GroupException | StoreException e) {
        // A row was taken, or the node is gone: another game.
      }
    }
  }

  /** One chip; false when it is not known whether it was moved. */
  private boolean turn(Group group, Row loser, Row winner) {
    int number = Integer.parseInt(loser.key().toUtf8().substring("player-".length()));
    try {
      group.run(
          GroupScript.begin()
              .add(loser, Players.CHIPS, -1)
              .add(winner, Players.CHIPS, 1)
              .add(loser, Players.TURNS, 1));
      acknowledged.incrementAndGet(number);
      turns.incrementAndGet();
      return true;
    } catch (GroupOutcomeUnknownException e) {
      unknown.incrementAndGet(number);
      return false;
    } catch (ConflictException e) {
      // Nobody else plays in this group.
      throw new IllegalStateException(e);
    }
  }

  private void awaitMoreTurns() throws InterruptedException {
    long many = turns.get() + TURNS_BETWEEN;
    await("turns are played: " + turns, () -> turns.get() >= many);
  }

  private static void await(String what, BooleanSupplier done) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as(what).isNegative();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
