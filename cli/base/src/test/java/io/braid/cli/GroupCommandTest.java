package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.cli.command.ExitCode;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /** Fault 66. Its table was dropped by who knows nothing of groups. */
  @Test
  void whatIsNotInTheStoreIsShownBeforeAGroupIsGivenUp() {
    onData("table create players f");
    onData("table create lost f");
    try (Braid db = Braid.open(dir)) {
      Row row = Row.of("lost", "x");
      Group group = db.group(GroupRequest.of(List.of(row)).named("t7"));
      db.store().dropTable("lost");
      group.update(tx -> tx.set(row, Column.of("f", "chips", Codecs.utf8()), "5"));
      group.update(tx -> tx.delete(row, Column.of("f", "chips", Codecs.utf8())));
      group.detach();
    }
    assertThat(onData("group list").out()).contains("t7", "cannot be taken up", "no table lost");
    CommandRun refused = onData("group delete t7");
    assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("no table lost", "braid group pending t7", "--force");
    assertThat(onData("group pending t7").out())
        .contains("Commit 1  lost/x f:chips = 5", "Commit 2  lost/x f:chips deleted");
    assertThat(onData("group pending t7 --json").out())
        .contains("\"position\":1", "\"value\":\"5\"", "\"deleted\":true");
    assertThat(onData("group delete t7 --force").code()).isZero();
    assertThat(onData("group pending t7").code()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void whoMeetsALimitIsToldTheSettingThatSetsIt() throws IOException {
    Path config = dir.resolve("braid.conf");
    Files.writeString(config, "groups.members = 2\ngroups.most = 1\n");
    String limited = " --config " + config + " --data " + dir.resolve("data");
    CommandRun.of("table create players f" + limited);
    CommandRun large = CommandRun.of("group create t1 players/a players/b players/c" + limited);
    assertThat(large.code()).isEqualTo(ExitCode.USAGE);
    assertThat(large.err()).contains("3 keys", "limit of 2", "groups.members");
    assertThat(CommandRun.of("group create t1 players/a players/b" + limited).code()).isZero();
    CommandRun second = CommandRun.of("group create t2 players/c" + limited);
    assertThat(second.code()).isEqualTo(ExitCode.FAILED);
    assertThat(second.err()).contains("1 group already", "groups.most");

    Files.writeString(config, "groups.lease = 0 s\n");
    CommandRun never = CommandRun.of("group list" + limited);
    assertThat(never.code()).isEqualTo(ExitCode.USAGE);
    assertThat(never.err()).contains("groups.lease", "from 1 ms");
  }
}
