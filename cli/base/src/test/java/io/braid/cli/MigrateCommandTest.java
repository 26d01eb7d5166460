package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid migrate}. */
class MigrateCommandTest {
  @TempDir Path dir;

  private CommandRun ends(int code, String line) {
    CommandRun run = CommandRun.of(line.replace("DIR", dir.toString()));
    assertThat(run.code()).as(line + "\n" + run.out() + run.err()).isEqualTo(code);
    return run;
  }

  private static String line(String row, int position, String value) {
    return "{\"table\":\"people\",\"row\":\"%s\",\"position\":\"%d\",\"columns\":{\"info:name\":%s}}\n"
        .formatted(row, position, value);
  }

  @Test
  void aTableMovesInAndTheOldSystemIsFed() throws Exception {
    Files.writeString(dir.resolve("backup.jsonl"), "{\"id\":\"ann\",\"name\":\"Ann\"}\n");
    Path feed = dir.resolve("old.jsonl");
    Files.writeString(feed, "{\"table\":\"people\",\"resolved\":\"7\",\"position\":\"7\"}\n");
    Files.writeString(feed, line("bob", 9, "\"Bob\""), StandardOpenOption.APPEND);
    String at = " --data DIR/data";
    String migrate = "migrate people --source DIR/old.jsonl --dir DIR/m" + at;
    String begin = migrate + " DIR/backup.jsonl --key id --family info";
    ends(ExitCode.DONE, "table create people info" + at);
    assertThat(ends(ExitCode.USAGE, begin).err()).contains("the backup was made at");
    assertThat(ends(ExitCode.FAILED, begin + " --position 6").err()).contains("would be lost");
    assertThat(ends(ExitCode.DONE, begin + " --position 8").out())
        .contains("read 1 = written 1", "draining", "1 changed rows applied, up to position 9");

    Files.writeString(feed, line("ann", 12, "null"), StandardOpenOption.APPEND);
    assertThat(ends(ExitCode.DONE, migrate + " --json").out()).contains("\"applied\":\"12\"");
    Files.writeString(feed, line("eve", 13, "\"Eve\""), StandardOpenOption.APPEND);
    assertThat(ends(ExitCode.USAGE, "migrate people --feed-old DIR/f --dir DIR/m" + at).err())
        .contains("after --finish");
    assertThat(ends(ExitCode.DONE, migrate + " --finish").out())
        .contains("finished", "--feed-old FILE|URL");
    assertThat(ends(ExitCode.DONE, "scan people" + at).out())
        .contains("Bob", "Eve")
        .doesNotContain("Ann");

    ends(ExitCode.DONE, "set people kim info:name Kim" + at);
    ends(ExitCode.DONE, "migrate people --feed-old DIR/back.jsonl --dir DIR/m" + at);
    assertThat(Files.readString(dir.resolve("back.jsonl"))).contains("Kim").doesNotContain("Eve");
  }
}
