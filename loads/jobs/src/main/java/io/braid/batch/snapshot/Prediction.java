package io.braid.batch.snapshot;

import io.braid.batch.sink.Rate;
import io.braid.batch.snapshot.Outcomes.Outcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * How long a load is predicted to take by each algorithm, and which is the fastest. The model has a
 * time before anything happens, a time for each record, and a time for each byte.
 *
 * <ul>
 *   <li>A process that has loaded little is slower, until its code is compiled.
 *   <li>Earlier loads of the same kind calibrate the model. If their sizes differ, they show both
 *       the fixed part and the rate.
 *   <li>Without earlier loads, the figures of two cores apply (see {@code docs/benchmarks.md}), but
 *       only where they were measured: with a store in this process and files of this machine.
 *   <li>Elsewhere, the time of a load is known only if it is about as long as one that ended. For
 *       other loads, a rough guess chooses the algorithm. The guess is not shown to users.
 *   <li>A requested rate is kept: no load is faster, except for its first batch. The speed of a
 *       rate that adapts to the store is not known.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Prediction {
  /** The factor by which sizes may differ and count as about the same. */
  private static final double ABOUT = 4;

  /** After this number of records, the code that loads them is compiled. */
  private static final long WARM = 50_000;

  private final Map<Algorithm, Double> guessed = new EnumMap<>(Algorithm.class);
  private final Map<Algorithm, Double> known = new EnumMap<>(Algorithm.class);

  /**
   * A load.
   *
   * @param records and {@code bytes} of the input, about
   * @param near whether the store is in this process, and the input on this machine
   * @param kind other properties that make a load fast or slow, in words: the same words, the same
   *     kind
   * @param warmed how many records this process has loaded before
   */
  public record Load(long records, long bytes, boolean near, String kind, Rate rate, long warmed) {
    private double throttled(double seconds) {
      double byRecords = rate.records() == 0 ? 0 : (double) records / rate.records();
      double byBytes = rate.bytes() == 0 ? 0 : (double) bytes / rate.bytes();
      return Math.max(seconds, Math.max(byRecords, byBytes));
    }
  }

  /**
   * The cost of an algorithm.
   *
   * @param before seconds that any load takes: its directory, opening files, syncs, imports
   * @param warming extra seconds in a process until its code is compiled
   * @param record seconds for each record
   * @param mebibyte seconds for each MiB of input
   */
  private record Cost(double before, double warming, double record, double mebibyte) {
    /** Seconds that grow with the load. */
    double growing(long records, long bytes, long warmed) {
      long cold = Math.min(records, Math.max(0, WARM - warmed));
      return records * record + bytes / 1048576.0 * mebibyte + warming * cold / WARM;
    }
  }

  private static final Map<Algorithm, Cost> NEAR =
      Map.of(
          Algorithm.STANDARD, new Cost(0.1, 0.6, 7e-6, 0.02),
          Algorithm.IMPORT_SORT, new Cost(0.2, 0.6, 3.5e-6, 0.02),
          Algorithm.VANILLA_SORT, new Cost(0.2, 0.6, 2e-6, 0.02),
          Algorithm.HADOOP_SORT, new Cost(0.15, 0.3, 2e-6, 0.02));

  /** No more than enough to choose by: files cost calls to a file system and to all regions. */
  private static final Map<Algorithm, Cost> FAR =
      Map.of(
          Algorithm.STANDARD, new Cost(0.5, 0, 100e-6, 0.1),
          Algorithm.IMPORT_SORT, new Cost(5, 0, 12e-6, 0.05),
          Algorithm.VANILLA_SORT, new Cost(5, 0, 10e-6, 0.05),
          Algorithm.HADOOP_SORT, new Cost(5, 0, 9e-6, 0.05));

  /**
   * @param snapshots whether the store takes snapshot loads
   * @param standard whether rows may appear one by one
   */
  public Prediction(Load load, boolean snapshots, boolean standard, Outcomes outcomes) {
    for (Algorithm algorithm : new EnumMap<>(NEAR).keySet()) {
      if (algorithm == Algorithm.STANDARD ? standard || !snapshots : snapshots) {
        predict(load, algorithm, outcomes.last(algorithm, load.kind()));
      }
    }
  }

  private void predict(Load load, Algorithm algorithm, List<Outcome> seen) {
    Cost cost = (load.near() ? NEAR : FAR).getOrDefault(algorithm, new Cost(0, 0, 0, 0));
    double size = cost.growing(load.records(), load.bytes(), load.warmed());
    Line line = Line.through(cost.before(), points(cost, seen));
    double seconds = load.throttled(line.at(size));
    guessed.put(algorithm, seconds);
    boolean like =
        points(cost, seen).stream()
            .anyMatch(point -> size <= ABOUT * point.size() && point.size() <= ABOUT * size);
    if ((load.near() || like) && !load.rate().adaptive()) {
      known.put(algorithm, seconds);
    }
  }

  private static List<Line.Point> points(Cost cost, List<Outcome> seen) {
    return seen.stream()
        .map(
            each ->
                new Line.Point(
                    cost.growing(each.records(), each.bytes(), each.warm()), each.seconds()))
        .toList();
  }

  public Algorithm fastest() {
    Algorithm fastest = guessed.keySet().iterator().next();
    for (Map.Entry<Algorithm, Double> each : guessed.entrySet()) {
      fastest = each.getValue() < guessed.getOrDefault(fastest, 0.0) ? each.getKey() : fastest;
    }
    return fastest;
  }

  /**
   * Returns the predicted seconds of an algorithm; 0 when it is out of the question, or not known.
   */
  public double seconds(Algorithm algorithm) {
    return known.getOrDefault(algorithm, 0.0);
  }

  /** Returns the predictions by the names of the algorithms; only those that are known. */
  public Map<String, Double> all() {
    Map<String, Double> all = new TreeMap<>();
    known.forEach((algorithm, each) -> all.put(algorithm.text(), Math.round(each * 1000) / 1e3));
    return all;
  }
}
