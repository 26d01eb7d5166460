package io.braid.cli.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.CommandRun;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupCommandTest {
  @TempDir Path dir;

  private CommandRun run(String line) {
    return CommandRun.of(line.replace("DIR", dir.toString()));
  }

  @Test
  void whatWasBackedUpIsThereAfterARestore() {
    run("table create t f --data DIR/data");
    run("set t r f:q v --data DIR/data");
    CommandRun made = run("backup DIR/backup --data DIR/data");
    assertThat(made.code()).as(made.err()).isEqualTo(ExitCode.DONE);
    assertThat(made.out()).contains("t: 1 row");
    assertThat(run("backup DIR/backup --data DIR/data").err()).contains("nothing is overwritten");
    assertThat(run("backup DIR/backup --verify --json").out()).contains("\"timestamp\"");
    CommandRun restored = run("restore DIR/backup --data DIR/copy --json");
    assertThat(restored.out()).as(restored.err()).contains("\"rows\":{\"t\":1}");
    assertThat(run("get t r --data DIR/copy").out()).contains("f:q = v");
    run("set t r2 f:q later --data DIR/data");
    assertThat(run("backup DIR/increment --since DIR/backup --data DIR/data").out())
        .contains("t: 2 rows");
    assertThat(run("restore DIR/backup DIR/increment --data DIR/both").out()).contains("t: 2 rows");
    assertThat(run("get t r2 --data DIR/both").out()).contains("f:q = later");
    assertThat(run("restore DIR/increment --data DIR/other").err())
        .contains("name the whole backup first");
    assertThat(run("backup DIR/increment --since DIR/backup --verify").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("backup DIR/rows --rows --data DIR/data").out()).contains("t: 2 rows");
    assertThat(run("restore DIR/rows --data DIR/of-rows").out()).contains("t: 2 rows");
    assertThat(run("get t r2 --data DIR/of-rows").out()).contains("f:q = later");
    assertThat(run("restore DIR/rows --store memory --json").out()).contains("\"rows\":{\"t\":2}");
    assertThat(run("restore DIR/backup --store memory").err()).contains("is no backup of rows");
    assertThat(run("backup DIR/x --rows --since DIR/backup --data DIR/data").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("restore DIR/none --data DIR/other").code()).isEqualTo(ExitCode.FAILED);
    assertThat(run("backup DIR/x --data DIR/none").code()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aBackupThatHasBegunDoesNotLookDone() {
    StringWriter err = new StringWriter();
    try (Progress progress = new Progress(new PrintWriter(err), true)) {
      KeptSnapshots.shown(progress).at("settling", 0);
      KeptSnapshots.shown(progress).at("snapshots of tables", 3);
      BackupCommand.shown(progress).at("copying", 5000);
    }

    assertThat(err.toString()).contains("settling", "snapshots of tables", "3", "5000", "bytes");
    assertThat(err.toString()).doesNotContain("0/0").doesNotContain("100%").doesNotContain("/3");
  }
}
