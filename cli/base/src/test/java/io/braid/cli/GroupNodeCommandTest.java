package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
      for (String verb : List.of("group list", "group show t7")) {
        assertThat(CommandRun.of(verb + at).out())
            .contains("led by players/alice at n-", "1 commit, ");
      }
      assertThat(CommandRun.of("group show t7 --json" + at).out())
          .contains("\"heard\":true", "\"commits\":1", "\"node\":\"n-", "players/bob");
      CommandRun moved = CommandRun.of("group hand-over t7 n-2" + at);
      assertThat(moved.err() + moved.code()).isEqualTo("0");
      assertThat(CommandRun.of("group get t7 players/alice f:chips" + at).out()).contains("95");
      assertThat(CommandRun.of("group hand-over t7 n-3" + at).code()).isEqualTo(ExitCode.FAILED);
      assertThat(CommandRun.of("group sweep" + at).out()).contains("0 rows freed");
      assertThat(CommandRun.of("group delete t7" + at).code()).isZero();
      assertThat(CommandRun.of("group list" + at).out()).isEmpty();
      assertThat(CommandRun.of("group list --at nowhere").code()).isEqualTo(ExitCode.USAGE);
      for (String verb : List.of("group list", "group sweep")) {
        assertThat(CommandRun.of(verb + " --data " + dir).err()).contains("group node", "--at");
      }
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

  /** Fault 38: a node that can acknowledge nothing any more is to be started again. */
  @Test
  void aNodeWhoseLogBreaksEndsWithAnExitCodeOfItsOwn() throws Exception {
    Path data = dir.resolve("data");
    Path config = Files.writeString(dir.resolve("braid.conf"), "groups.log-size = 4 KiB\n");
    CommandRun.of("table create players f --data " + data);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    AtomicInteger code = new AtomicInteger(-1);
    String line =
        "group-node --name n --json --listen 127.0.0.1:0 --data " + data + " --config " + config;
    Thread server =
        new Thread(
            () ->
                code.set(
                    Main.commandLine()
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err, true))
                        .execute(line.split(" "))));
    server.start();
    Matcher address = ADDRESS.matcher("");
    for (int i = 0; i < 1000 && !address.reset(out.toString()).find(); i++) {
      Thread.sleep(20);
    }
    String at = " --at " + address.group(1);
    CommandRun.of("group create t7 players/alice" + at);
    assertThat(CommandRun.of("group set t7 players/alice f:chips 95" + at).code()).isZero();
    // The next file of the log cannot be made.
    Path logs = Files.move(data.resolve("groups"), dir.resolve("gone"));
    CommandRun large = CommandRun.of("group set t7 players/alice f:name " + "x".repeat(8000) + at);
    CommandRun after = CommandRun.of("group set t7 players/alice f:chips 1" + at);
    assertThat(List.of(large.code(), after.code())).contains(ExitCode.UNKNOWN);
    server.join(30_000);
    assertThat(code).hasValue(ExitCode.START_AGAIN);
    assertThat(err.toString()).contains("log of group node n").contains("Start this one again");
    // What starts it again has its groups, with what was acknowledged.
    Files.move(logs, data.resolve("groups"));
    assertThat(CommandRun.of("group get t7 players/alice f:chips --data " + data).out())
        .contains("95");
  }

  @Test
  void identitiesNeedCertificates() throws Exception {
    Path identities =
        Files.writeString(dir.resolve("identities"), "alice certificate:CN=alice write:players\n");
    CommandRun.of("table create players f --data " + dir.resolve("data"));
    CommandRun run =
        CommandRun.of(
            "group-node --listen 127.0.0.1:0 --identities "
                + identities
                + " --data "
                + dir.resolve("data"));
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("groups.tls-certificate");
  }
}
