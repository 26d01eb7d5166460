package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupNodeCommandTest {
  private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"]+)\"");

  @TempDir Path dir;

  @Test
  void nodesLeadGroupsForCommandsThatHaveNoDatabase() throws InterruptedException {
    CommandRun.of("table create players f --data " + dir);
    CommandRun.of("set players alice f:chips 100 --data " + dir);
    StringWriter out = new StringWriter();
    Thread server =
        new Thread(
            () ->
                Main.commandLine()
                    .setOut(new PrintWriter(out))
                    .execute(
                        ("group-node --name n --nodes 2 --json --listen 127.0.0.1:0 --data " + dir)
                            .split(" ")));
    server.start();
    try {
      Matcher address = ADDRESS.matcher(out.toString());
      for (int i = 0; i < 500 && out.toString().lines().count() < 2; i++) {
        Thread.sleep(20);
        address = ADDRESS.matcher(out.toString());
      }
      assertThat(address.find()).isTrue();
      String at = " --at " + address.group(1);

      assertThat(CommandRun.of("group create t7 players/alice players/bob" + at).code()).isZero();
      CommandRun set = CommandRun.of("group set t7 players/alice f:chips 95" + at);
      assertThat(set.out()).contains("Commit 1");
      assertThat(CommandRun.of("group nodes" + at).out()).contains("n-1", "n-2");
      CommandRun moved = CommandRun.of("group hand-over t7 n-2" + at);
      assertThat(moved.err() + moved.code()).isEqualTo("0");
      assertThat(CommandRun.of("group get t7 players/alice f:chips" + at).out()).contains("95");
      assertThat(CommandRun.of("group hand-over t7 n-3" + at).code()).isEqualTo(ExitCode.FAILED);
      assertThat(CommandRun.of("group delete t7" + at).code()).isZero();
      assertThat(CommandRun.of("group list" + at).out()).isEmpty();
      assertThat(CommandRun.of("group list --at nowhere").code()).isEqualTo(ExitCode.USAGE);
    } finally {
      server.interrupt();
      server.join();
    }
    assertThat(CommandRun.of("get players alice f:chips --data " + dir).out()).contains("95");
    assertThat(CommandRun.of("group sweep --data " + dir).out()).contains("0 rows freed");
    CommandRun elsewhere = CommandRun.of("group-node --listen 0.0.0.0:0 --data " + dir);
    assertThat(elsewhere.code()).isEqualTo(ExitCode.USAGE);
    assertThat(elsewhere.err()).contains("groups.secret").contains("groups.open");
    assertThat(CommandRun.of("group-node --nodes 0 --data " + dir).code())
        .isEqualTo(ExitCode.USAGE);
  }
}
