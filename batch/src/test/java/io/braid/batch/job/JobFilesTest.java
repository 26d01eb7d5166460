package io.braid.batch.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of a job whose process died over a line. Fault 61. */
class JobFilesTest {
  @TempDir Path dir;

  private record Line(int task, String text) {}

  private List<Line> read(Path log) throws IOException {
    return JobFiles.readLog(log, Line.class);
  }

  @Test
  void whatACrashLeftOfALineSpoilsNoneThatFollows() throws IOException {
    String whole = "{\"task\":1,\"text\":\"one\"}";
    for (int left = 0; left <= whole.length(); left++) {
      Path log = dir.resolve("log-" + left);
      JobFiles.append(log, new Line(0, "zero"));
      Files.writeString(log, whole.substring(0, left), StandardOpenOption.APPEND);
      assertThat(read(log)).containsExactly(new Line(0, "zero"));
      JobFiles.append(log, new Line(2, "two"));
      JobFiles.append(log, new Line(3, "three"));
      assertThat(read(log))
          .containsExactly(new Line(0, "zero"), new Line(2, "two"), new Line(3, "three"));
    }
    Path begin = Files.writeString(dir.resolve("begin"), "{\"ta");
    assertThat(read(begin)).isEmpty();
    JobFiles.append(begin, new Line(2, "two"));
    assertThat(read(begin)).containsExactly(new Line(2, "two"));
  }

  @Test
  void aWholeLineThatIsNoneOfTheLogsIsNotPassedOver() throws IOException {
    Path log = dir.resolve("log");
    for (String line : List.of("{\"task\":1,", "{\"task\":1,\"text\":\"a\"}{\"task\":2}")) {
      Files.writeString(log, line + "\n");
      assertThatThrownBy(() -> read(log))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("is damaged");
    }
  }
}
