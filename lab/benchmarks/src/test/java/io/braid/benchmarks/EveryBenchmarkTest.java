package io.braid.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Every benchmark runs, as small as it can be made: figures mean nothing here, but what is measured
 * is done. Nobody notices otherwise when one breaks.
 */
class EveryBenchmarkTest {
  private static final String[] SMALL = {
    "percolator --rows 500 --rounds 1 --slice 1 --warm-up 4",
    "brokerage --customers 100 --clients 2 --rounds 1 --slice 5 --only systems",
    "brokerage --customers 200 --clients 2 --rounds 1 --slice 5 --only demand",
    "observers --only latency --samples 50",
    "clustering --documents 200 --seconds 0.1",
    "savings --documents 8",
    "traces --rounds 1 --seconds 0.1",
    "omid --rows 300 --rounds 1 --slice 1 --warm-up 4 --only manager,socket,fast,ten",
    "omid --rows 300 --quick --turn 2 --only mix,scale",
    "batch --records 200 --part paths,scans",
    "serving --keys 500 --rounds 1 --slice 2 --only reads,swaps",
    "scaling --rows 200,400 --millis 10 --clients 1,2",
    "groups --quick --rows 2000 --clients 1 --seconds 0.01 --durability buffered --pause 0 --only create,operations",
    "all --plots"
  };

  /** With tests of their own. */
  private static final Set<String> ELSEWHERE = Set.of("ycsb", "fuzz");

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Names of the targets that were printed, by benchmark. */
  private static final Map<String, List<String>> TARGETS = new TreeMap<>();

  @TempDir Path dir;

  /** What the papers say stands in the results beside the target that it is about. */
  @AfterAll
  static void everyWordOfAPaperHasItsTarget() throws IOException {
    if (TARGETS.size() + ELSEWHERE.size() + 1
        < new CommandLine(new Main.Bench()).getSubcommands().size()) {
      return; // only some were run
    }
    JsonNode papers = ResultsPage.papers();
    for (Map.Entry<String, JsonNode> paper : papers.properties()) {
      if (GalleryCommand.onHBase(paper.getKey())) {
        continue; // runs apart
      }
      for (JsonNode figure : paper.getValue().path("figures")) {
        String pattern = figure.path("target").asText();
        assertThat(TARGETS.get(paper.getKey()))
            .as("%s: %s", paper.getKey(), pattern)
            .isNotNull()
            .anyMatch(name -> name.matches(pattern));
      }
    }
  }

  private static void note(String line, String printed) throws IOException {
    List<String> names =
        TARGETS.computeIfAbsent(line.substring(0, line.indexOf(' ')), x -> new ArrayList<>());
    for (String each : printed.lines().filter(l -> l.contains("\"targets\":")).toList()) {
      JSON.readTree(each)
          .path("targets")
          .forEach(target -> names.add(target.path("name").asText()));
    }
  }

  static String[] small() {
    return SMALL.clone();
  }

  @ParameterizedTest
  @MethodSource("small")
  void itRuns(String line) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      String whole = line.startsWith("all ") ? line + " --out " + dir : line;
      int code =
          new CommandLine(new Main.Bench())
              .setCaseInsensitiveEnumValuesAllowed(true)
              .execute(whole.split(" "));
      assertThat(code).isZero();
    } finally {
      System.setOut(before);
    }
    if (!line.startsWith("all ")) {
      assertThat(out.toString(StandardCharsets.UTF_8))
          .contains("\"targets\":")
          .doesNotContain("NaN");
      note(line, out.toString(StandardCharsets.UTF_8));
    }
  }

  @Test
  void noneIsLeftOut() {
    Set<String> covered = new TreeSet<>(ELSEWHERE);
    Arrays.stream(SMALL).forEach(line -> covered.add(line.substring(0, line.indexOf(' '))));
    assertThat(covered)
        .isEqualTo(new TreeSet<>(new CommandLine(new Main.Bench()).getSubcommands().keySet()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "brokerage --customers 5",
        "brokerage --clients 0",
        "brokerage --only paint",
        "scaling --rows 0",
        "scaling --clients 0",
        "scaling --millis 0",
        "scaling --trip -1",
        "all --only paint",
        "all --with percolator,paint",
        "all --with hbase"
      })
  void whatMakesNoSenseIsRefused(String line) {
    assertThat(new CommandLine(new Main.Bench()).execute(line.split(" "))).isEqualTo(2);
  }
}
