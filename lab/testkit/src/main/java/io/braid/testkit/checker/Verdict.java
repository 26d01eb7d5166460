package io.braid.testkit.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The judgment of a checker on a history.
 *
 * @param kind of the history: append, bank or scan
 * @param counts of judged transactions by type, and of operations by name
 * @param found the number of anomalies of each name
 * @param anomalies the first few of each name
 * @param notices other remarks for the user
 */
public record Verdict(
    String kind,
    Map<String, Long> counts,
    Map<String, Long> found,
    List<Anomaly> anomalies,
    List<String> notices) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public Verdict {
    counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    found = Collections.unmodifiableMap(new TreeMap<>(found));
    anomalies = List.copyOf(anomalies);
    notices = List.copyOf(notices);
  }

  public boolean valid() {
    return found.isEmpty();
  }

  /** One object: valid, kind, counts, found, anomalies (name, text, evidence), notices. */
  public String toJson() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("valid", valid());
    all.put("kind", kind);
    all.put("counts", counts);
    all.put("found", found);
    all.put("anomalies", anomalies);
    all.put("notices", notices);
    try {
      return JSON.writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Texts and numbers can always be written.", e);
    }
  }

  /** For people. */
  public String toText() {
    List<String> lines = new ArrayList<>();
    lines.add(
        valid()
            ? "VALID: this " + kind + " history is strong snapshot isolation."
            : "INVALID: this " + kind + " history is not strong snapshot isolation.");
    counts.forEach((what, count) -> lines.add(String.format("  %,12d %s", count, what)));
    notices.forEach(notice -> lines.add("notice: " + notice));
    if (!valid()) {
      lines.add("anomalies: " + found);
      anomalies.forEach(anomaly -> lines.add("  " + anomaly));
    }
    return String.join("\n", lines);
  }
}
