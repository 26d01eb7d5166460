package io.braid.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The page of the results of all benchmarks, made from their printed lines. For each benchmark, the
 * page has the targets, the figures of the papers beside them, and a plot of the ratios of the
 * cases.
 */
final class ResultsPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;

  ResultsPage(Path directory) {
    this.directory = directory;
  }

  /** The output of one benchmark. */
  private record Figures(JsonNode machine, List<JsonNode> cases, JsonNode targets) {}

  /** Writes the page and its plots, and returns the path of the page. */
  Path write(List<String> names) throws IOException {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Results

        Written by `./braid bench all`; do not edit. Each figure is a ratio, or a value, of one run on the
        machine named above it; `NAME.jsonl` has every line. A goal is ours, and harder than what the papers have
        wherever it can be compared. What missing ones come from is in [benchmarks.md](../benchmarks.md).
        """);
    JsonNode papers = papers();
    for (String name : names) {
      Path file = directory.resolve(name + ".jsonl");
      if (Files.exists(file)) {
        section(page, name, read(file), papers.path(name));
      }
    }
    page.append("\n## Which figure is where\n\n").append(PaperFigures.table());
    Path to = directory.resolve("README.md");
    Files.writeString(to, page);
    return to;
  }

  /** Reads the figures of the papers, by benchmark and target. */
  static JsonNode papers() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ResultsPage.class.getResourceAsStream("papers.json"))) {
      return JSON.readTree(in);
    }
  }

  private static Figures read(Path file) throws IOException {
    JsonNode machine = JSON.createObjectNode();
    JsonNode targets = JSON.createArrayNode();
    List<JsonNode> cases = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("{")) {
        continue;
      }
      JsonNode node = JSON.readTree(line);
      if (node.has("machine")) {
        machine = node;
      } else if (node.has("targets")) {
        targets = node.path("targets");
      } else {
        cases.add(node);
      }
    }
    return new Figures(machine, cases, targets);
  }

  private void section(StringBuilder page, String name, Figures figures, JsonNode paper)
      throws IOException {
    JsonNode machine = figures.machine;
    page.append("\n## ").append(name).append("\n\n");
    if (paper.has("what")) {
      page.append(paper.path("what").asText()).append("\n\n");
    }
    page.append("`./braid bench ").append(GalleryCommand.words(name));
    page.append(machine.path("quick").asBoolean() ? " --quick`" : "`");
    page.append(", ").append(machine.path("cores").asInt()).append(" cores, ");
    page.append(machine.path("machine").asText()).append(", Java ");
    page.append(machine.path("java").asText()).append(", RocksDB ");
    page.append(machine.path("rocksdb").asText()).append(", ");
    page.append(machine.path("begun").asText()).append("\n\n");
    page.append("| target | goal | measured | met | the paper |\n|---|---|---|---|---|\n");
    for (JsonNode target : figures.targets) {
      String of = target.path("name").asText();
      page.append("| ").append(of).append(" | ").append(number(target.path("goal"))).append(" | ");
      page.append(number(target.path("measured"))).append(" | ");
      page.append(target.path("met").asBoolean() ? "yes" : "**no**").append(" | ");
      page.append(beside(paper, of)).append(" |\n");
    }
    MixFigures.write(name, figures.cases, directory, page);
    overTime(name, figures.cases, page);
    for (Map.Entry<String, List<BarChart.Bar>> plot : plots(figures.cases).entrySet()) {
      String file = name + "-" + plot.getKey().replaceAll("[^A-Za-z0-9]+", "-");
      String title = name + ": ratio to " + plot.getKey();
      Plot.write(directory, file, new BarChart(title, plot.getValue()).svg());
      page.append("\n![").append(title).append("](").append(file).append(".svg)\n");
    }
  }

  /**
   * Draws cases with a second of measurement, or a tenth of the reads, as lines, one for each
   * percentile.
   */
  private void overTime(String name, List<JsonNode> cases, StringBuilder page) throws IOException {
    overTime(name, "second", "seconds", cases, page);
    overTime(name, "tenth", "tenths of the reads", cases, page);
  }

  private void overTime(
      String name, String param, String across, List<JsonNode> cases, StringBuilder page)
      throws IOException {
    Map<String, Map<String, List<LineChart.Point>>> plots = new LinkedHashMap<>();
    for (JsonNode each : cases) {
      JsonNode second = each.path("params").path(param);
      if (second.isNumber()) {
        plots
            .computeIfAbsent(
                each.path("case").asText() + ", " + each.path("unit").asText(),
                key -> new LinkedHashMap<>())
            .computeIfAbsent(
                each.path("params").path("percentile").asText() + "th percentile",
                key -> new ArrayList<>())
            .add(new LineChart.Point(second.asDouble(), each.path("value").asDouble()));
      }
    }
    for (var plot : plots.entrySet()) {
      String title = name + " over time: " + plot.getKey();
      String file = (name + "-" + plot.getKey()).replaceAll("[^A-Za-z0-9]+", "-");
      Plot.write(directory, file, new LineChart(title, across, "", plot.getValue()).svg());
      page.append("\n![").append(title).append("](").append(file).append(".svg)\n");
    }
  }

  /** Returns the paper's figure for the first pattern that matches the name of a target. */
  private static String beside(JsonNode paper, String target) {
    for (JsonNode each : paper.path("figures")) {
      if (target.matches(each.path("target").asText())) {
        return each.path("says").asText();
      }
    }
    return "";
  }

  private static String number(JsonNode value) {
    double number = value.asDouble();
    return number == Math.rint(number)
        ? String.format(java.util.Locale.ROOT, "%,.0f", number)
        : value.asText();
  }

  /** Returns a plot for each baseline of the cases. Cases without a baseline have no plot. */
  private static Map<String, List<BarChart.Bar>> plots(List<JsonNode> cases) {
    Map<String, List<BarChart.Bar>> plots = new LinkedHashMap<>();
    for (JsonNode each : cases) {
      String vs = each.path("vs").asText("");
      if (!vs.isEmpty() && each.path("ratio").isNumber()) {
        plots
            .computeIfAbsent(vs, key -> new ArrayList<>())
            .add(
                new BarChart.Bar(
                    label(each),
                    each.path("ratio").asDouble(),
                    number(each.path("value")) + " " + each.path("unit").asText()));
      }
    }
    plots.values().removeIf(bars -> bars.size() < 2);
    return plots;
  }

  private static String label(JsonNode figure) {
    StringBuilder label = new StringBuilder(figure.path("case").asText());
    figure
        .path("params")
        .fields()
        .forEachRemaining(
            each -> {
              if (!each.getKey().equals("cpuRatio")) {
                label.append(", ").append(each.getKey().replace('_', ' ')).append(' ');
                label.append(each.getValue().asText());
              }
            });
    return label.toString();
  }
}
