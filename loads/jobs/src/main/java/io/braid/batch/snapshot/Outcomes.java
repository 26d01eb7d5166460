package io.braid.batch.snapshot;

import io.braid.batch.log.JobLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The times of loads that ended here: a log beside the jobs. The log improves the next prediction,
 * but is not required.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Outcomes {
  /** The number of outcomes that count; older outcomes do not. */
  private static final int LAST = 8;

  private final JobLog<Outcome> log;

  /**
   * A load that ended without an interruption.
   *
   * @param kind of {@link Prediction.Load}; null: noted before there were any
   * @param after seconds of these that passed when all was read; null: not noted
   * @param warmed of {@link Prediction.Load}; null: not noted
   */
  public record Outcome(
      String algorithm,
      long records,
      long bytes,
      double seconds,
      @Nullable String kind,
      @Nullable Double after,
      @Nullable Long warmed) {
    long warm() {
      return warmed == null ? 0 : warmed;
    }
  }

  public Outcomes(Path jobs) {
    this.log = new JobLog<>(jobs.resolve("outcomes.jsonl"), Outcome.class);
  }

  public void add(Outcome outcome) throws IOException {
    log.add(outcome);
  }

  /** The share of the time that passed when all was read, in the last loads of a kind. */
  public OptionalDouble after(String algorithm, String kind) {
    double[] shares =
        last(Algorithm.of(algorithm), kind).stream()
            .filter(each -> each.after() != null && each.seconds() > 0)
            .mapToDouble(each -> java.util.Objects.requireNonNull(each.after()) / each.seconds())
            .sorted()
            .toArray();
    return shares.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(shares[shares.length / 2]);
  }

  /** The last loads of a kind by an algorithm. */
  List<Outcome> last(Algorithm algorithm, String kind) {
    try {
      List<Outcome> like =
          log.read().stream()
              .filter(each -> algorithm.text().equals(each.algorithm) && kind.equals(each.kind))
              .toList();
      return like.subList(Math.max(0, like.size() - LAST), like.size());
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
  }
}
