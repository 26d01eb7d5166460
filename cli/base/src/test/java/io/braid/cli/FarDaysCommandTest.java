package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.testkit.runtime.Days;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the command line prints on days to come it takes again. Fault 85. */
class FarDaysCommandTest {
  @TempDir Path dir;

  private String done(String line) {
    CommandRun run = CommandRun.of(line.replace("DIR", dir.toString()));
    assertThat(run.code()).as(line + "\n" + run.out() + run.err()).isEqualTo(ExitCode.DONE);
    return run.out();
  }

  private static String word(String text, String pattern) {
    return text.strip().replaceAll("(?s).*" + pattern + ".*", "$1");
  }

  @ParameterizedTest
  @ValueSource(strings = {Days.NINETEEN_DIGITS, Days.LAST})
  void momentsFeedsAndBackups(String day) throws Exception {
    try (RocksStore store = RocksStore.open(dir.resolve("data"), RocksOptions.defaults())) {
      Days.begin(store, day);
    }
    done("table create t f --data DIR/data");
    done("table changes t --keep 7d --data DIR/data");
    String commit = word(done("set t r f:q one --data DIR/data"), "Committed at ([0-9]+)\\.");
    assertThat(commit).hasSize(19);
    done("pin create then --data DIR/data");
    String pin = done("pin list --data DIR/data");
    done("backup DIR/full --data DIR/data");
    done("changes t --to DIR/feed --data DIR/data");
    done("set t r f:q two --data DIR/data");
    done("changes t --to DIR/feed --data DIR/data");
    assertThat(Files.readAllLines(dir.resolve("feed")))
        .filteredOn(line -> line.contains("columns"))
        .hasSize(2);

    String time = word(pin, " (20[^ ]+Z\\+[0-9.]+)");
    for (String then : new String[] {commit, "then", time, word(pin, "([0-9]{19})")}) {
      assertThat(done("get t r --at " + then + " --data DIR/data")).contains("f:q = one");
      assertThat(done("changes t --since " + then + " --data DIR/data")).contains("two");
    }
    String json = done("changes t --json --data DIR/data").lines().findFirst().orElseThrow();
    String position = word(json, "\"position\":\"([^\"]+)\"");
    assertThat(done("changes t --since " + position + " --data DIR/data"))
        .contains("two")
        .doesNotContain("one");

    done("backup DIR/more --since DIR/full --data DIR/data");
    assertThat(done("backup DIR/more --verify")).contains("t: 1 row");
    done("restore DIR/full DIR/more --data DIR/copy");
    assertThat(done("get t r --data DIR/copy")).contains("f:q = two");
  }
}
