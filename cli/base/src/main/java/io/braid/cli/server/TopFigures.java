package io.braid.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Figures of a server over a time.
 *
 * @param now its status
 * @param before its status so many seconds before; the same one at first
 */
record TopFigures(JsonNode now, JsonNode before, double seconds) {
  static final String HEADER =
      "time (UTC)  commits/s  conflicts/s  unknown   open   p99 ms  pending dead letters";

  private static final int TIME = 11;

  String time() {
    String time = now.path("time").asText();
    return time.substring(Math.min(TIME, time.length()));
  }

  double commits() {
    return rate("one_phase", "two_phase", "omid_commits");
  }

  double conflicts() {
    return rate("conflicts", "omid_conflicts");
  }

  private double rate(String... names) {
    long more = 0;
    for (String name : names) {
      more += count("/transactions/" + name) - before.at("/transactions/" + name).asLong();
    }
    return Math.round(10 * more / Math.max(seconds, 0.001)) / 10.0;
  }

  long count(String at) {
    return now.at(at).asLong();
  }

  double millis(String at) {
    return now.at(at).asDouble();
  }

  Map<String, Object> toObject() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", now.path("time").asText());
    line.put("commits_per_second", commits());
    line.put("conflicts_per_second", conflicts());
    line.put("unknown", count("/transactions/unknown"));
    line.put("open", count("/transactions/open"));
    line.put("p99_millis", millis("/gateway/committed/p99_millis"));
    line.put("pending", count("/observers/pending"));
    line.put("dead_letters", count("/observers/dead_letters"));
    return line;
  }

  /** Under {@link #HEADER}. */
  String toLine() {
    return String.format(
        Locale.ROOT,
        "%-10.8s %10.1f %12.1f %8d %6d %8.2f %8d %12d",
        time(),
        commits(),
        conflicts(),
        count("/transactions/unknown"),
        count("/transactions/open"),
        millis("/gateway/committed/p99_millis"),
        count("/observers/pending"),
        count("/observers/dead_letters"));
  }
}
