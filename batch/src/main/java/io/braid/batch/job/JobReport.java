package io.braid.batch.job;

import io.braid.batch.snapshot.ImportReport;
import java.util.List;
import java.util.Optional;

/**
 * How a job stands after a run.
 *
 * @param shortCircuits tasks that ended because too many records failed, in the last attempt
 * @param unread parts of the input that could not be read
 * @param unfinished tasks of the round that are not done
 * @param timing what was predicted, and what came out
 * @param imports how snapshots were imported in this round
 */
public record JobReport(
    JobSpec spec,
    JobState state,
    List<ShortCircuit> shortCircuits,
    List<Unread> unread,
    int tasks,
    int unfinished,
    int attempts,
    Optional<Timing> timing,
    Optional<ImportReport> imports) {
  public JobReport {
    shortCircuits = List.copyOf(shortCircuits);
    unread = List.copyOf(unread);
  }

  public Books books() {
    return state.books();
  }
}
