package io.braid.batch.job;

import io.braid.batch.snapshot.ImportReport;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The state of a job after a run.
 *
 * @param shortCircuits tasks that ended because too many records failed, in the last attempt
 * @param unread parts of the input that could not be read
 * @param unfinished tasks of the round that are not done
 * @param timing the prediction, and the actual time
 * @param imports how snapshots were imported in this round
 */
@API(status = API.Status.EXPERIMENTAL)
public record JobReport(
    JobSpec spec,
    JobState state,
    List<ShortCircuit> shortCircuits,
    List<UnreadPart> unread,
    int tasks,
    int unfinished,
    int attempts,
    Optional<Timing> timing,
    Optional<ImportReport> imports) {
  public JobReport {
    shortCircuits = List.copyOf(shortCircuits);
    unread = List.copyOf(unread);
  }

  /**
   * Returns whether the job waits for a decision about the records that were not written.
   *
   * @param worked whether a process works on the job now
   */
  public boolean waits(boolean worked) {
    return !worked && state.phase() == JobState.Phase.REMAINDER;
  }

  /**
   * Returns the steps that are possible with the job now.
   *
   * @param worked whether a process works on the job now
   */
  public Set<JobStep> steps(boolean worked) {
    if (state.ended()) {
      return Set.of();
    }
    EnumSet<JobStep> steps = EnumSet.of(JobStep.CANCEL);
    if (!worked) {
      if (state.phase() != JobState.Phase.REMAINDER) {
        steps.add(JobStep.RESUME);
      } else if (spec.options().mayRetry()) {
        steps.add(JobStep.RETRY);
      }
      if (JobChecks.isWhole(spec, state)) {
        steps.add(JobStep.COMMIT);
      }
    }
    return steps;
  }

  public RecordCounts counts() {
    return state.counts();
  }
}
