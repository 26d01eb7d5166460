package io.braid.examples.webindex.demo;

import io.braid.examples.webindex.Counts;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The results of the demonstration, in numbers.
 *
 * @param latencies from page written to index updated, of every page of the second crawl that
 *     changed
 * @param rebuildSeconds how long rebuilding the same index takes
 * @param conflicts how many runs of observers met a conflict and were repeated
 * @param equal whether the rebuilt index was the same, cell by cell
 */
public record DemoReport(
    Counts counts,
    Latencies latencies,
    double rebuildSeconds,
    long observerRuns,
    long conflicts,
    boolean equal) {

  /** The numbers under the names that {@code --json} gives them. */
  public Map<String, Object> toObject() {
    Map<String, Object> latency = new LinkedHashMap<>();
    latency.put("p50", rounded(latencies.millis(0.50)));
    latency.put("p99", rounded(latencies.millis(0.99)));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("pages", counts.pages());
    object.put("distinct_exact", counts.distinctExact());
    object.put("distinct_text", counts.distinctText());
    object.put("links", counts.links());
    object.put("index_latency_ms", latency);
    object.put("rebuild_s", rounded(rebuildSeconds));
    object.put("conflicts", conflicts);
    object.put("observer_runs", observerRuns);
    return object;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
