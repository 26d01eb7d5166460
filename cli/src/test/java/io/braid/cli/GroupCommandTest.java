package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommandTest {
  @TempDir Path dir;

  private CommandRun onData(String line) {
    return CommandRun.of(line + " --data " + dir);
  }

  /** Fault 41, as an operator meets it. */
  @Test
  void aGroupOutlivesTheCommandsThatWorkOnIt() {
    onData("table create players f");
    onData("set players alice f:chips 100");
    assertThat(onData("group create t7 players/alice players/bob").code()).isZero();
    assertThat(onData("group list").out()).contains("t7", "live", "2 rows", "players/alice");
    assertThat(onData("group show t7 --json").out()).contains("\"rows\":[\"players/alice\"");

    CommandRun refused = onData("set players alice f:chips 1");
    assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("held by group 't7'", "players/alice");
    CommandRun taken = onData("group create t8 players/eve players/bob");
    assertThat(taken.code()).isEqualTo(ExitCode.FAILED);
    assertThat(taken.err()).contains("players/bob", "t7");
    assertThat(onData("group create t9 players/eve players/bob --best-effort").out())
        .contains("did not join: players/bob");
    assertThat(onData("group create t0 players/bob players/eve --best-effort").err())
        .contains("without its leader key players/bob", "name another");

    assertThat(onData("group set t7 players/alice f:chips 95 players/bob f:chips 5").out())
        .contains("Commit 1");
    assertThat(onData("group get t7 players/bob f:chips").out()).contains("5");
    assertThat(onData("group set t7 players/eve f:chips 5").code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("group delete t7").code()).isZero();
    assertThat(onData("group delete t7").code()).isEqualTo(ExitCode.FAILED);
    assertThat(onData("group show t7").code()).isEqualTo(ExitCode.FAILED);
    assertThat(onData("get players alice f:chips").out()).contains("95");
    assertThat(onData("group set t9 players/eve").code()).isEqualTo(ExitCode.USAGE);
  }
}
