package io.braid.batch.snapshot;

import io.braid.batch.job.JobLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How long loads took on this machine beside what was predicted for them: a log beside the jobs. It
 * makes the next prediction better; without it nothing is wrong.
 */
public final class Outcomes {
  private static final int LAST = 5;

  private final JobLog<Outcome> log;

  /** A load that ended without having been broken off. */
  public record Outcome(String algorithm, long records, long bytes, double seconds) {}

  public Outcomes(Path jobs) {
    this.log = new JobLog<>(jobs.resolve("outcomes.jsonl"), Outcome.class);
  }

  public void add(Algorithm algorithm, long records, long bytes, double seconds)
      throws IOException {
    log.add(new Outcome(algorithm.text(), records, bytes, seconds));
  }

  /** What the last loads took of their prediction: the median; 1 when there were none. */
  double factor(Algorithm algorithm) {
    List<Double> factors = new ArrayList<>();
    try {
      for (Outcome each : log.read()) {
        double plain = Prediction.plain(Algorithm.of(each.algorithm), each.records, each.bytes);
        if (each.algorithm.equals(algorithm.text()) && plain > 0) {
          factors.add(each.seconds / plain);
        }
      }
    } catch (IOException | RuntimeException e) {
      return 1;
    }
    List<Double> last =
        new ArrayList<>(factors.subList(Math.max(0, factors.size() - LAST), factors.size()));
    last.sort(null);
    return last.isEmpty() ? 1 : last.get(last.size() / 2);
  }
}
