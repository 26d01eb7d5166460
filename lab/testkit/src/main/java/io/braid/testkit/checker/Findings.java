package io.braid.testkit.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gathers anomalies: counts all, keeps the first few of each name. */
final class Findings {
  private static final int KEPT_OF_EACH = 5;

  private final Map<String, Long> counts = new TreeMap<>();
  private final List<Anomaly> anomalies = new ArrayList<>();

  void add(String name, String text, List<String> evidence) {
    add(new Anomaly(name, text, evidence));
  }

  void add(Anomaly anomaly) {
    if (counts.merge(anomaly.name(), 1L, Long::sum) <= KEPT_OF_EACH) {
      anomalies.add(anomaly);
    }
  }

  Map<String, Long> counts() {
    return counts;
  }

  List<Anomaly> anomalies() {
    return anomalies;
  }
}
