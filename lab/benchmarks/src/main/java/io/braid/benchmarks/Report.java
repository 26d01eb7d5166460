package io.braid.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints one JSON object per line: one for each figure, and the targets at the end. */
public final class Report {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String bench;
  private final PrintStream out;
  private final List<Map<String, Object>> targets = new ArrayList<>();

  public Report(String bench, PrintStream out) {
    this.bench = bench;
    this.out = out;
  }

  /**
   * @param ratio the ratio to the case {@code vs} in the same run
   */
  public void figure(
      String name, Map<String, ?> params, double value, String unit, String vs, double ratio) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("bench", bench);
    line.put("case", name);
    line.put("params", params);
    line.put("value", rounded(value));
    line.put("unit", unit);
    line.put("vs", vs);
    line.put("ratio", rounded(ratio));
    print(line);
  }

  public void atLeast(String name, double goal, double measured) {
    target(name, goal, measured, measured >= goal);
  }

  public void atMost(String name, double goal, double measured) {
    target(name, goal, measured, measured <= goal);
  }

  private void target(String name, double goal, double measured, boolean met) {
    Map<String, Object> target = new LinkedHashMap<>();
    target.put("name", name);
    target.put("goal", goal);
    target.put("measured", rounded(measured));
    target.put("met", met);
    targets.add(target);
  }

  /** Prints the targets, which are the last line of a benchmark. */
  public void end() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("bench", bench);
    line.put("targets", targets);
    print(line);
  }

  private void print(Map<String, Object> line) {
    try {
      out.println(JSON.writeValueAsString(line));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double rounded(double value) {
    double scale = value < 10 ? 1000 : 1;
    return Math.round(value * scale) / scale;
  }
}
