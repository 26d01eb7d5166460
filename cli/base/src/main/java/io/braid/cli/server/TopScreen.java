package io.braid.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The screen that {@code braid top} draws for a person: figures, then the parts that work or wait.
 *
 * @param observers as {@code GET /v1/observers} lists them
 * @param groups as {@code GET /v1/groups} lists them
 * @param jobs as {@code GET /v1/jobs} lists them
 * @param stores as {@code GET /stores} lists them
 */
record TopScreen(
    URI url,
    TopFigures figures,
    JsonNode observers,
    JsonNode groups,
    JsonNode jobs,
    JsonNode stores) {
  /** Rows of a list; the screen shall stay one. */
  private static final int MOST = 6;

  private static final String HOME = "\u001b[H";
  private static final String END_OF_LINE = "\u001b[K";
  private static final String BELOW = "\u001b[J";

  /** A line that is too long ends at the edge of the terminal. */
  private static final String CUT_LINES = "\u001b[?7l";

  private static final String WRAP_LINES = "\u001b[?7h";

  /** Lines to be written over what stood on the terminal. */
  static String drawn(List<String> lines) {
    StringBuilder text = new StringBuilder(CUT_LINES).append(HOME);
    lines.forEach(line -> text.append(line).append(END_OF_LINE).append('\n'));
    return text.append(BELOW).append(WRAP_LINES).toString();
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format("braid at %s, %.8s UTC. q or Ctrl-C ends.", url, figures.time()));
    lines.add("");
    lines.add(
        format(
            "transactions  %10.1f commits/s  %8.1f conflicts/s  %6d unknown  %6d open",
            figures.commits(),
            figures.conflicts(),
            figures.count("/transactions/unknown"),
            figures.count("/transactions/open")));
    lines.add(
        format(
            "latency       %10.2f ms median  %8.2f ms p99",
            figures.millis("/gateway/committed/p50_millis"),
            figures.millis("/gateway/committed/p99_millis")));
    list(
        lines,
        observers,
        format("%-30s %8s %12s %10s  %s", "observer", "pending", "dead letters", "oldest", "state"),
        each ->
            format(
                "%-30.30s %8d %12d %8d ms  %s",
                each.path("observer").asText(),
                each.path("pending").asLong(),
                each.path("dead_letters").asLong(),
                each.path("oldest_pending_millis").asLong(),
                each.path("paused").asBoolean() ? "paused" : "runs"));
    list(
        lines,
        groups,
        format("%-30s %8s %8s %10s  %s", "group", "members", "commits", "unshipped", "state"),
        each ->
            format(
                "%-30.30s %8d %8d %10d  %s",
                each.path("group").asText(),
                each.path("members").asLong(),
                each.path("commits").asLong(),
                each.path("unshipped").asLong(),
                each.path("state").asText()
                    + (each.has("trouble") ? ", " + each.path("trouble").asText() : "")));
    list(
        lines,
        jobs,
        format("%-30s %8s %8s %10s  %s", "load", "open", "tasks", "written", "state"),
        each ->
            format(
                "%-30.30s %8d %8d %10d  %s",
                each.path("job").asText(),
                each.path("tasks_open").asLong(),
                each.path("tasks").asLong(),
                each.at("/counts/written").asLong(),
                each.path("state").asText()));
    list(
        lines,
        stores,
        format("%-30s %8s", "served store", "live"),
        each -> format("%-30.30s %8d", each.path("store").asText(), each.path("live").asLong()));
    return lines;
  }

  private static void list(
      List<String> lines, JsonNode all, String header, Function<JsonNode, String> line) {
    if (all.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(header);
    int shown = 0;
    for (JsonNode each : all) {
      if (shown++ < MOST) {
        lines.add(line.apply(each));
      }
    }
    if (shown > MOST) {
      lines.add("and " + (shown - MOST) + " more");
    }
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
