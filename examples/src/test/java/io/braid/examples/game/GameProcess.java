package io.braid.examples.game;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.groups.Group;
import java.nio.file.Path;
import java.time.Duration;

/** A process that plays until it is killed and says what it was told is durable. */
public final class GameProcess {
  private GameProcess() {}

  public static void main(String[] args) {
    BraidConfig config = BraidConfig.defaults().with(Setting.GROUP_LOG_SIZE.key(), "16 KiB");
    try (Braid db = Braid.open(Path.of(args[0]), config)) {
      GameOptions options =
          new GameOptions(
              40, 4, 5, 2, 60, 30, Duration.ZERO, Long.MAX_VALUE, Long.parseLong(args[1]));
      Game.play(
          db,
          options,
          new GameView() {
            @Override
            public void played(int table, Group group, Turn turn, long position) {
              say("played " + group.info().number() + " " + position);
            }

            @Override
            public void looked(Players.Totals totals, int groups) {
              if (!totals.balanced()) {
                say("unbalanced " + totals);
              }
            }
          });
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
