package io.braid.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.benchmarks.LineChart.Point;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The counterparts of figures 4 to 7 of the Omid paper, from the lines of {@link OmidMixes}. For
 * each mix and each kind of transaction, there is a table of the parts of the latency and a plot of
 * throughput against latency.
 */
final class MixFigures {
  private static final List<String> PHASES = List.of("begin", "reads", "writes", "commit");
  private static final Map<String, String> MIXES =
      Map.of(
          "random", "Random mix, as many transactions as the clients can",
          "brwc", "BRWC, as many transactions as the clients can",
          "scale", "Random mix, the manager loaded as by 1000 nodes, the store as of 3");

  private MixFigures() {}

  /** Appends the available figures to a page. */
  static void write(String name, List<JsonNode> cases, Path directory, StringBuilder page)
      throws IOException {
    Map<String, List<JsonNode>> groups = new LinkedHashMap<>();
    for (JsonNode each : cases) {
      String mix = each.path("params").path("mix").asText("");
      if (!mix.isEmpty()) {
        String kind = each.path("case").asText().replace(", latency", "");
        groups.computeIfAbsent(mix + "/" + kind, key -> new ArrayList<>()).add(each);
      }
    }
    for (Map.Entry<String, List<JsonNode>> group : groups.entrySet()) {
      String mix = group.getKey().substring(0, group.getKey().indexOf('/'));
      String kind = group.getKey().substring(mix.length() + 1);
      String title = MIXES.getOrDefault(mix, mix) + ": " + kind;
      page.append("\n### ").append(title).append("\n\n");
      table(group.getValue(), page);
      String file = name + "-" + mix + "-" + kind.replace(' ', '-');
      Plot.write(directory, file, chart(title, mix, group.getValue()).svg());
      page.append("\n![").append(title).append("](").append(file).append(".svg)\n");
    }
  }

  private static void table(List<JsonNode> lines, StringBuilder page) {
    page.append(
        "| system | clients | the manager's transactions/s | transactions/s | latency, us | begin"
            + " | reads | writes | commit | aborts |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (JsonNode line : lines) {
      JsonNode params = line.path("params");
      page.append("| ").append(params.path("variant").asText());
      page.append(" | ").append(params.path("clients").asInt());
      page.append(" | ").append(params.path("manager_tps").asLong());
      page.append(" | ").append(params.path("tps").asLong());
      page.append(" | ").append(line.path("value").asText());
      for (String phase : PHASES) {
        page.append(" | ").append(params.path(phase + "_us").asText());
      }
      page.append(" | ").append(params.path("aborts").asText()).append(" |\n");
    }
  }

  /**
   * Draws a chart. Its horizontal axis is the commits of the clients, or, if their pace is fixed,
   * the requests to the manager.
   */
  private static LineChart chart(String title, String mix, List<JsonNode> lines) {
    boolean paced = mix.equals("scale");
    Map<String, List<Point>> series = new LinkedHashMap<>();
    for (JsonNode line : lines) {
      JsonNode params = line.path("params");
      double x = params.path(paced ? "manager_tps" : "tps").asDouble();
      series
          .computeIfAbsent(params.path("variant").asText(), key -> new ArrayList<>())
          .add(new Point(x, line.path("value").asDouble()));
    }
    String across = paced ? "transactions/s at the manager" : "transactions/s";
    return new LineChart(title, across, "latency, us", series);
  }
}
