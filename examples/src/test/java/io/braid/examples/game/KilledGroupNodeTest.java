package io.braid.examples.game;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.GroupNodes;
import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupTransaction;
import io.braid.groups.Groups;
import io.braid.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 38 with real processes: a group node, and the store with it, are killed again and again
 * under players who reach it over the network. They go on by themselves; every turn that was
 * acknowledged counts once, none that was refused does, and not a chip is lost or made.
 */
class KilledGroupNodeTest {
  private static final int PLAYERS = 24;
  private static final int TABLES = 4;
  private static final int KILLS = 2;
  private static final long TURNS_BETWEEN = 80;
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path root;

  private final AtomicLongArray acknowledged = new AtomicLongArray(PLAYERS);
  private final AtomicLongArray unknown = new AtomicLongArray(PLAYERS);
  private final AtomicLong turns = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  void playersGoOnWheneverTheirNodeIsKilledAndTheChipsAddUp() throws Exception {
    int port = freePort();
    Process node = start(port);
    List<Thread> tables = new ArrayList<>();
    try (Groups groups = GroupNodes.connect("127.0.0.1:" + port)) {
      for (int i = 0; i < TABLES; i++) {
        RandomGenerator random = Seeds.random(i + 1);
        Thread table = new Thread(() -> play(groups, random), "table-" + i);
        tables.add(table);
        table.start();
      }
      for (int kill = 1; kill <= KILLS; kill++) {
        awaitTurns(kill * TURNS_BETWEEN);
        kill(node);
        node = start(port);
      }
      awaitTurns((KILLS + 1) * TURNS_BETWEEN);
      over.set(true);
      for (Thread table : tables) {
        table.join();
      }
      groups.list().forEach(groups::delete);
      assertThat(groups.list()).isEmpty();
    } finally {
      over.set(true);
      kill(node);
    }
    judge();
  }

  private void judge() {
    try (Braid db = Braid.open(root.resolve("data"));
        Snapshot now = db.snapshot()) {
      assertThat(Players.totals(db).balanced()).as("%s", Players.totals(db)).isTrue();
      for (int i = 0; i < PLAYERS; i++) {
        assertThat(now.get(Players.row(i), Players.TURNS).orElse(0L))
            .as("turns of player %s", i)
            .isBetween(acknowledged.get(i), acknowledged.get(i) + unknown.get(i));
      }
    }
  }

  private void play(Groups groups, RandomGenerator random) {
    while (!over.get()) {
      Set<Row> wanted = new LinkedHashSet<>();
      while (wanted.size() < 3) {
        wanted.add(Players.row(random.nextInt(PLAYERS)));
      }
      try (Group group = groups.create(GroupRequest.of(wanted).bestEffort())) {
        List<Row> seated = group.members().stream().sorted().toList();
        for (int i = 0; i < 8; i++) {
          turn(group, seated, random);
        }
      } catch (GroupException | StoreException e) {
        // The row was taken, or the node is gone: another game.
      }
    }
  }

  private void turn(Group group, List<Row> seated, RandomGenerator random) {
    Row loser = seated.get(random.nextInt(seated.size()));
    Row winner = seated.get(random.nextInt(seated.size()));
    int number = Integer.parseInt(loser.key().toUtf8().substring("player-".length()));
    try (GroupTransaction tx = group.begin()) {
      tx.set(loser, Players.CHIPS, tx.get(loser, Players.CHIPS).orElse(0L) - 1);
      tx.set(winner, Players.CHIPS, tx.get(winner, Players.CHIPS).orElse(0L) + 1);
      tx.set(loser, Players.TURNS, tx.get(loser, Players.TURNS).orElse(0L) + 1);
      tx.commit();
      acknowledged.incrementAndGet(number);
      turns.incrementAndGet();
    } catch (GroupOutcomeUnknownException e) {
      unknown.incrementAndGet(number);
    } catch (ConflictException e) {
      // Nobody else plays in this group.
      throw new IllegalStateException(e);
    }
  }

  private void awaitTurns(long many) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (turns.get() < many) {
      assertThat(System.nanoTime() - deadline).as("turns are played: %s", turns).isNegative();
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private Process start(int port) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                NodeProcess.class.getName(),
                root.resolve("data").toString(),
                String.valueOf(PLAYERS),
                String.valueOf(port))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    while (line != null && !line.equals("ready")) {
      line = out.readLine();
    }
    assertThat(line).as("the node is there").isNotNull();
    return process;
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }
}
