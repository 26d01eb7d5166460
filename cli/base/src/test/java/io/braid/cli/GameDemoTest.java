package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import org.junit.jupiter.api.Test;

class GameDemoTest {
  @Test
  void theChipsAddUpAndGroupsAreSeenToComeAndGo() {
    CommandRun run =
        CommandRun.of(
            "demo game --store memory --players 30 --tables 2 --seats 4 --turns 5 --games 6 --pause"
                + " 0ms");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("formed", "dissolved", "The chips add up.");
    CommandRun json = CommandRun.of("demo game --store memory --games 2 --pause 0ms --json");
    assertThat(json.out()).contains("\"balanced\":true");
    assertThat(CommandRun.of("demo game --players 1").code()).isEqualTo(ExitCode.USAGE);
  }
}
