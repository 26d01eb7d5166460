package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid changes}. */
class ChangesCommandTest {
  @TempDir Path dir;

  private CommandRun ends(int code, String line) {
    CommandRun run =
        CommandRun.of(line.replace("DIR", dir.toString()) + " --data " + dir + "/data");
    assertThat(run.code()).as(line + "\n" + run.out() + run.err()).isEqualTo(code);
    return run;
  }

  @Test
  void changesAreShownFromAnyPositionAndBroughtToAFile() throws Exception {
    ends(ExitCode.DONE, "table create people info");
    ends(ExitCode.DONE, "set people ann info:name Ann");
    assertThat(ends(ExitCode.FAILED, "changes people").err()).contains("--keep 7d");
    assertThat(ends(ExitCode.DONE, "table changes people --keep 7d").out()).contains("for 7 d");
    assertThat(ends(ExitCode.DONE, "changes").out()).contains("people", "kept for 7 d");
    ends(ExitCode.DONE, "set people bob info:name Bob");
    ends(ExitCode.DONE, "set people eve info:name Eve");
    ends(ExitCode.DONE, "delete people bob info:name");

    String[] lines = ends(ExitCode.DONE, "changes people").out().split("\n");
    assertThat(lines).hasSize(4);
    assertThat(lines[0]).contains("bob", "info:name = Bob");
    assertThat(lines[2]).contains("bob", "info:name deleted");
    String[] json = ends(ExitCode.DONE, "changes people --json").out().split("\n");
    assertThat(json[1]).contains("\"row\":\"eve\"", "\"columns\":{\"info:name\":\"Eve\"}");
    assertThat(json[3]).contains("\"resolved\":");
    String second = json[1].replaceAll(".*\"position\":\"([^\"]*)\".*", "$1");
    assertThat(ends(ExitCode.DONE, "changes people --since " + second).out())
        .contains("info:name deleted")
        .doesNotContain("Eve");

    assertThat(ends(ExitCode.DONE, "changes people --to DIR/feed.jsonl").out()).contains("3 chang");
    ends(ExitCode.DONE, "pin create before-kim");
    ends(ExitCode.DONE, "set people kim info:name Kim");
    assertThat(ends(ExitCode.DONE, "changes people --to DIR/feed.jsonl").out()).contains("1 chang");
    assertThat(Files.readAllLines(dir.resolve("feed.jsonl")))
        .filteredOn(line -> !line.contains("resolved"))
        .hasSize(4)
        .last()
        .asString()
        .contains("kim");

    assertThat(ends(ExitCode.USAGE, "changes people --since soon").err())
        .contains("no position", "'10 min ago'");
    assertThat(ends(ExitCode.DONE, "changes people --since before-kim").out())
        .contains("Kim")
        .doesNotContain("Bob", "Eve");
    // A day is understood; the changes of this one are not kept.
    assertThat(ends(ExitCode.FAILED, "changes people --since 2020-02-29").err())
        .contains("table again");
    assertThat(ends(ExitCode.FAILED, "changes people --since 17").err()).contains("table again");
    ends(ExitCode.DONE, "table changes people --off");
    ends(ExitCode.FAILED, "changes people");
    assertThat(ends(ExitCode.DONE, "get people kim").out()).contains("Kim");
  }
}
