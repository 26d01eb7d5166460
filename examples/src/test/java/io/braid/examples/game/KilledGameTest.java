package io.braid.examples.game;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.groups.GroupInfo;
import io.braid.groups.rows.GroupState;
import io.braid.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults 38, 40 and 41 with real processes: one that plays is killed at any moment, again and
 * again. Every group that was live goes on with every turn that was acknowledged, and not a chip is
 * lost or made.
 */
class KilledGameTest {
  private static final int KILLS = 3;

  @TempDir Path root;

  @Test
  void theChipsAddUpHoweverOftenTheProcessIsKilled() throws Exception {
    Path data = root.resolve("data");
    int restored = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      List<String> said = run(data, kill, 150 + Seeds.random(kill).nextInt(600));
      assertThat(said).noneMatch(line -> line.startsWith("unbalanced"));
      restored += check(data, durable(said));
    }
    assertThat(restored).isPositive();
    try (Braid db = Braid.open(data)) {
      db.groups().list().forEach(db.groups()::delete);
      assertThat(db.groups().list()).isEmpty();
      assertThat(Players.totals(db).balanced()).isTrue();
      assertThat(Game.play(db, GameOptions.busy(40, 2, 5, 9), GameView.NONE).balanced()).isTrue();
    }
  }

  /** Opens the database and looks; how many groups it found live. */
  private static int check(Path data, Map<Long, Long> durable) {
    try (Braid db = Braid.open(data)) {
      List<GroupInfo> groups = db.groups().list();
      for (GroupInfo info : groups) {
        // Of one that is being deleted the count goes with the leader's row, once all is shipped.
        if (info.state() == GroupState.LIVE) {
          assertThat(info.commits())
              .as("commits of group %s", info.name())
              .isGreaterThanOrEqualTo(durable.getOrDefault(info.number(), 0L));
        }
      }
      Players.Totals totals = Players.totals(db);
      assertThat(totals.players()).isEqualTo(40);
      assertThat(totals.balanced()).as("%s", totals).isTrue();
      long chips = 0;
      for (int i = 0; i < 40; i++) {
        chips += db.groups().latest(Players.row(i), Players.CHIPS).orElse(0L);
      }
      assertThat(chips).as("with what is not shipped").isEqualTo(40 * Players.FIRST_CHIPS);
      return groups.size();
    }
  }

  private static Map<Long, Long> durable(List<String> said) {
    Map<Long, Long> durable = new HashMap<>();
    for (String line : said) {
      String[] words = line.split(" ");
      if (words.length == 3 && words[0].equals("played")) {
        durable.merge(Long.parseLong(words[1]), Long.parseLong(words[2]), Math::max);
      }
    }
    return durable;
  }

  private static List<String> run(Path data, long seed, int lines)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                GameProcess.class.getName(),
                data.toString(),
                String.valueOf(seed))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> said = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (int i = 0; i < lines; i++) {
        String line = out.readLine();
        if (line == null) {
          break;
        }
        said.add(line);
      }
      process.toHandle().destroyForcibly(); // leaves the stream open: the last lines count
      out.lines().forEach(said::add);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(said).hasSizeGreaterThanOrEqualTo(lines);
    return said;
  }
}
