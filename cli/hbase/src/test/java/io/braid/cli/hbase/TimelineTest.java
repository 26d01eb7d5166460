package io.braid.cli.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {
  @TempDir Path directory;

  @Test
  void commitsAndFaultsAreWrittenAndDrawn() throws Exception {
    Timeline timeline = new Timeline();
    timeline.commit();
    timeline.begin();
    timeline.commit();
    timeline.commit();
    timeline.mark("move was refused: <no> server & no region");
    Path lines = directory.resolve("t.jsonl");
    Path plot = directory.resolve("t.svg");

    timeline.write(lines, plot);

    assertThat(timeline.marks()).isEqualTo(1);
    assertThat(Files.readAllLines(lines))
        .as("what came before does not count")
        .hasSizeGreaterThanOrEqualTo(2)
        .last()
        .asString()
        .contains("\"fault\":\"move was refused: <no> server & no region\"");
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(plot.toFile())
                .getElementsByTagName("polyline")
                .getLength())
        .isEqualTo(1);
  }
}
