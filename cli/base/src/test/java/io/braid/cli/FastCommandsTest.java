package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import io.braid.cli.data.ProtocolName;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verbs of the fast path, on tables of either protocol. */
class FastCommandsTest {
  private static final Pattern VERSION = Pattern.compile("version (\\d+)");

  @TempDir Path dir;

  private CommandRun onData(String line) {
    return CommandRun.of(line + " --data " + dir);
  }

  private static String version(CommandRun read) {
    Matcher version = VERSION.matcher(read.out());
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenFastIsReadByEitherPathUnlessSomebodyWasFirst(ProtocolName protocol) {
    onData("table create t f --protocol " + protocol);
    CommandRun missing = onData("get t r f:a --fast");
    assertThat(missing.code()).isEqualTo(ExitCode.FAILED);
    assertThat(missing.out().strip()).isEqualTo("version 0");
    assertThat(missing.err()).contains("row t/r has no such value");

    assertThat(onData("set t r f:a 1 f:b 2 --fast").out()).matches("Committed at \\d+\\.\\R");
    CommandRun read = onData("get t r f:a f:b --fast");
    assertThat(read.code()).isEqualTo(ExitCode.DONE);
    assertThat(read.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("r  f:a = 1"),
            line -> assertThat(line).isEqualTo("r  f:b = 2"),
            line -> assertThat(line).matches("version [1-9]\\d*"));
    assertThat(onData("get t r").out()).contains("f:a = 1", "f:b = 2");

    onData("set t r f:a 3");
    CommandRun late = onData("set t r f:a 4 --if-version " + version(read));
    assertThat(late.code()).as("a regular transaction was first").isEqualTo(ExitCode.FAILED);
    assertThat(late.err()).contains("t/r/f:a");
    CommandRun again = onData("get t r f:a --fast");
    assertThat(again.out()).contains("f:a = 3");
    assertThat(onData("set t r f:a 5 --json --if-version " + version(again)).out())
        .matches("\\{\"committed\":\"\\d+\"}\\R");
    assertThat(onData("get t r f:a --fast --json").out())
        .contains("\"f:a\":\"5\"", "\"version\":\"");
  }

  @Test
  void wrongUsesAreRefusedBeforeAnythingChanges() {
    onData("table create t f --protocol omid");
    assertThat(onData("get t r --fast").err()).contains("name them");
    assertThat(onData("get t r f:a --fast --at 2026-05-04T10:00:00Z").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(onData("set t r f:a 1 --if-version -1").code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("set t r g:a 1 --fast").err()).contains("no family g");
    assertThat(onData("get none r f:a --fast").err()).contains("none");
    assertThat(onData("scan t").out()).isEmpty();
  }
}
