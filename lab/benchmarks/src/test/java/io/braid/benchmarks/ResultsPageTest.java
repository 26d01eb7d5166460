package io.braid.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of all benchmarks, from what one of them printed. */
class ResultsPageTest {
  @TempDir Path dir;

  @Test
  void aTargetStandsBesideThePaperAndCasesArePlotted() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Report report =
        new Report("percolator", new PrintStream(printed, true, StandardCharsets.UTF_8));
    report.figure("raw get", Map.of("threads", 1), 200_000, "reads/s", "raw get", 1);
    report.figure("read <of> a cell", Map.of("threads", 1), 150_000, "reads/s", "raw get", 0.75);
    report.atLeast("snapshot read to raw get, 1 threads", 0.85, 0.75);
    report.end();
    Files.writeString(
        dir.resolve("percolator.jsonl"),
        Machine.line(true) + "\n" + printed.toString(StandardCharsets.UTF_8));

    String page = Files.readString(new ResultsPage(dir).write(List.of("percolator", "absent")));

    assertThat(page)
        .contains("| snapshot read to raw get, 1 threads | 0.85 | 0.75 | **no** | 0.94 of Bigtable")
        .contains("`./braid bench percolator --quick`")
        .contains("| Percolator | Figure 9 |")
        .doesNotContain("null")
        .doesNotContain("absent");
    assertThat(Files.readString(dir.resolve("percolator-raw-get.svg")))
        .contains("read &lt;of&gt; a cell, threads 1", "0.750")
        .doesNotContain("<of>");
  }

  @Test
  void whatIsToldBySecondsIsALine() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Report report = new Report("serving", new PrintStream(printed, true, StandardCharsets.UTF_8));
    for (int second = 0; second < 3; second++) {
      report.figure(
          "read around a fetch",
          Map.of("second", second, "percentile", 99),
          20 + second,
          "us",
          "",
          0);
    }
    report.end();
    Files.writeString(
        dir.resolve("serving.jsonl"),
        Machine.line(false) + "\n" + printed.toString(StandardCharsets.UTF_8));

    String page = Files.readString(new ResultsPage(dir).write(List.of("serving")));

    assertThat(page).contains("](serving-read-around-a-fetch-us.svg)");
    assertThat(Files.readString(dir.resolve("serving-read-around-a-fetch-us.svg")))
        .contains("99th percentile</text>");
    BufferedImage picture =
        ImageIO.read(dir.resolve("serving-read-around-a-fetch-us.png").toFile());
    assertThat(picture.getWidth()).isEqualTo(2 * 720);
    Set<Integer> colours = new HashSet<>();
    for (int x = 0; x < picture.getWidth(); x++) {
      for (int y = 0; y < picture.getHeight(); y++) {
        colours.add(picture.getRGB(x, y) & 0xffffff);
      }
    }
    assertThat(colours).as("ground, grid, text and line").hasSizeGreaterThan(3).contains(0xffffff);
  }

  @Test
  void theMixesOfOmidHaveTablesAndPlots() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Report report = new Report("omid", new PrintStream(printed, true, StandardCharsets.UTF_8));
    for (int clients : new int[] {1, 2}) {
      Map<String, Object> params =
          Map.of(
              "variant",
              "omid-fp",
              "mix",
              "random",
              "clients",
              clients,
              "tps",
              1000 * clients,
              "manager_tps",
              21_000,
              "begin_us",
              0,
              "reads_us",
              5.5,
              "writes_us",
              7.25,
              "commit_us",
              0,
              "aborts",
              0.001);
      report.figure("single key, latency", params, 12.75, "us", "", 0);
    }
    report.end();
    Files.writeString(
        dir.resolve("omid.jsonl"),
        Machine.line(false) + "\n" + printed.toString(StandardCharsets.UTF_8));

    String page = Files.readString(new ResultsPage(dir).write(List.of("omid")));

    assertThat(page)
        .contains("| omid-fp | 2 | 21000 | 2000 | 13.0 | 0 | 5.5 | 7.25 | 0 | 0.001 |")
        .contains("![Random mix, as many transactions as the clients can: single key]");
    assertThat(Files.readString(dir.resolve("omid-random-single-key.svg")))
        .contains("<polyline", "omid-fp");
  }
}
