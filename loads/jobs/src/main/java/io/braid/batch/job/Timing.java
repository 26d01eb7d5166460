package io.braid.batch.job;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was predicted for a load, and what came out.
 *
 * @param algorithm by which it is loaded
 * @param records in the input, about
 * @param bytes of the input, about
 * @param predicted seconds by each algorithm that was possible, of which they were known
 * @param seconds that it took from its begin to its end; 0 while it has not ended, or when it was
 *     broken off meanwhile
 * @param kind of loads that take about as long; null: it says nothing about others
 * @param after seconds that passed when all was read; null: not known
 * @param warmed how many records this process had loaded before; null: not known
 */
public record Timing(
    String algorithm,
    long records,
    long bytes,
    Map<String, Double> predicted,
    double seconds,
    @Nullable String kind,
    @Nullable Double after,
    @Nullable Long warmed) {
  public Timing {
    predicted = Map.copyOf(predicted);
  }

  Timing took(double time, double ending) {
    return new Timing(algorithm, records, bytes, predicted, time, kind, ending, warmed);
  }

  /** What was predicted for the algorithm that was taken; 0 when nothing was. */
  public double predictedSeconds() {
    return predicted.getOrDefault(algorithm, 0.0);
  }
}
