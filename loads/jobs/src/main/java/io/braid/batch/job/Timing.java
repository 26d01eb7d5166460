package io.braid.batch.job;

import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The predicted and the actual time of a load.
 *
 * @param algorithm by which it is loaded
 * @param records in the input, about
 * @param bytes of the input, about
 * @param predicted seconds by each possible algorithm for which they were known
 * @param seconds that the load took from its beginning to its end; 0 while it has not ended, or
 *     when it was interrupted meanwhile
 * @param kind of loads that take about as long; null: the load says nothing about others
 * @param after seconds that passed when all was read; null: not known
 * @param warmed how many records this process had loaded before; null: not known
 */
@API(status = API.Status.EXPERIMENTAL)
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

  /** Returns the predicted seconds for the chosen algorithm; 0 when there was no prediction. */
  public double predictedSeconds() {
    return predicted.getOrDefault(algorithm, 0.0);
  }
}
