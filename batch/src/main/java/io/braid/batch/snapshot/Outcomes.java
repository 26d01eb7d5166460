package io.braid.batch.snapshot;

import io.braid.batch.job.JobLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long loads took that ended here: a log beside the jobs. It makes the next prediction better;
 * without it nothing is wrong.
 */
public final class Outcomes {
  /** Older ones count no more. */
  private static final int LAST = 8;

  private final JobLog<Outcome> log;

  /**
   * A load that ended without having been broken off.
   *
   * @param kind of {@link Prediction.Load}; null: noted before there were any
   */
  public record Outcome(
      String algorithm, long records, long bytes, double seconds, @Nullable String kind) {}

  public Outcomes(Path jobs) {
    this.log = new JobLog<>(jobs.resolve("outcomes.jsonl"), Outcome.class);
  }

  public void add(Outcome outcome) throws IOException {
    log.add(outcome);
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
