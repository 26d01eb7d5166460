package io.braid.batch.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.JobException;
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

  @Test
  void whatIsNoTextIsSaidToBeDamaged() throws IOException {
    byte[] garbage = {(byte) 0xff, (byte) 0xfe, 0, '\n', 'x'};
    Path file = Files.write(dir.resolve("file.json"), garbage);
    assertThatThrownBy(() -> JobFiles.read(file, Line.class))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("File " + file + " of the job is damaged");
    assertThatThrownBy(() -> JobFiles.readLog(file, Line.class, 5))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("Log " + file + " is damaged");
    Files.writeString(
        file, "{\"task\":1,\"text\":\"a\"}\n{\"task\":2,\"text\":\"b\"}\nnone\n{\"ta");
    assertThat(JobFiles.readLog(file, Line.class, 2))
        .containsExactly(new Line(1, "a"), new Line(2, "b"));
  }
}
