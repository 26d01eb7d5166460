package io.braid.batch.snapshot;

import java.util.EnumMap;
import java.util.Map;

/**
 * How long a load is predicted to take by each algorithm, and which is the fastest. The model: a
 * time before anything happens, one for each record, and one for each byte. The figures are those
 * of two cores (see {@code docs/benchmarks.md}); a factor for each algorithm makes up for another
 * machine, taken from the outcomes of earlier loads.
 */
public final class Prediction {
  private final Map<Algorithm, Double> seconds = new EnumMap<>(Algorithm.class);

  /**
   * What an algorithm costs.
   *
   * @param before seconds that any load takes
   * @param record seconds for each record
   * @param mebibyte seconds for each MiB of input
   */
  private record Cost(double before, double record, double mebibyte) {
    double of(long records, long bytes) {
      return before + records * record + bytes / 1048576.0 * mebibyte;
    }
  }

  private static final Map<Algorithm, Cost> COSTS =
      Map.of(
          Algorithm.STANDARD, new Cost(0.03, 30e-6, 0.05),
          Algorithm.IMPORT_SORT, new Cost(0.15, 6e-6, 0.02),
          Algorithm.VANILLA_SORT, new Cost(0.15, 5e-6, 0.02),
          Algorithm.HADOOP_SORT, new Cost(0.15, 4.5e-6, 0.02));

  /**
   * @param records and {@code bytes} of the input, about
   * @param snapshots whether the store takes snapshot loads
   * @param standard whether rows may appear one by one
   */
  public Prediction(
      long records, long bytes, boolean snapshots, boolean standard, Outcomes outcomes) {
    for (Map.Entry<Algorithm, Cost> each : new EnumMap<>(COSTS).entrySet()) {
      Algorithm algorithm = each.getKey();
      if (algorithm == Algorithm.STANDARD ? standard || !snapshots : snapshots) {
        seconds.put(algorithm, each.getValue().of(records, bytes) * outcomes.factor(algorithm));
      }
    }
  }

  public Algorithm fastest() {
    Algorithm fastest = seconds.keySet().iterator().next();
    for (Map.Entry<Algorithm, Double> each : seconds.entrySet()) {
      fastest = each.getValue() < seconds(fastest) ? each.getKey() : fastest;
    }
    return fastest;
  }

  /** What is predicted for an algorithm; 0 when it is out of the question. */
  public double seconds(Algorithm algorithm) {
    return seconds.getOrDefault(algorithm, 0.0);
  }

  /** What is predicted for a load, before the factor: what outcomes are compared with. */
  static double plain(Algorithm algorithm, long records, long bytes) {
    Cost cost = COSTS.get(algorithm);
    return cost == null ? 0 : cost.of(records, bytes);
  }

  /** By the names of the algorithms. */
  public Map<String, Double> all() {
    Map<String, Double> all = new java.util.TreeMap<>();
    seconds.forEach((algorithm, each) -> all.put(algorithm.text(), Math.round(each * 1000) / 1e3));
    return all;
  }
}
