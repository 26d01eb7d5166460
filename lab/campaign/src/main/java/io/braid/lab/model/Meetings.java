package io.braid.lab.model;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** How often one feature was used after another one in the same program. */
public final class Meetings {
  private final Map<Feature, Map<Feature, Integer>> counts = new EnumMap<>(Feature.class);

  void met(Feature now, Set<Feature> before) {
    before.forEach(
        each ->
            counts
                .computeIfAbsent(now, key -> new EnumMap<>(Feature.class))
                .merge(each, 1, Integer::sum));
  }

  int count(Feature now, Feature before) {
    return counts.getOrDefault(now, Map.of()).getOrDefault(before, 0);
  }

  /** Adds what another one has counted. */
  public void addAll(Meetings other) {
    other.counts.forEach(
        (now, each) ->
            each.forEach(
                (before, count) ->
                    counts
                        .computeIfAbsent(now, key -> new EnumMap<>(Feature.class))
                        .merge(before, count, Integer::sum)));
  }

  /** Pairs that never met, as text. */
  public Set<String> missing() {
    Set<String> none = new TreeSet<>();
    for (Feature now : Feature.values()) {
      for (Feature before : EnumSet.complementOf(EnumSet.of(now))) {
        if (count(now, before) == 0) {
          none.add(now + " after " + before);
        }
      }
    }
    return none;
  }

  /** For each feature, how often it was used after each other one. */
  public Map<String, Map<String, Integer>> toObject() {
    Map<String, Map<String, Integer>> all = new TreeMap<>();
    for (Feature now : Feature.values()) {
      Map<String, Integer> after = new TreeMap<>();
      for (Feature before : Feature.values()) {
        after.put(before.name(), count(now, before));
      }
      all.put(now.name(), after);
    }
    return all;
  }

  /** A table: a row for each feature, a column for each that came before it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(" ".repeat(14));
    for (Feature before : Feature.values()) {
      text.append(String.format("%8s", abbreviated(before)));
    }
    for (Feature now : Feature.values()) {
      text.append(String.format("%n%-14s", now));
      for (Feature before : Feature.values()) {
        text.append(String.format("%8d", count(now, before)));
      }
    }
    return text.append(System.lineSeparator()).toString();
  }

  private static String abbreviated(Feature feature) {
    String name = feature.name();
    return name.substring(0, Math.min(7, name.length()));
  }
}
