package io.braid.batch.job;

import java.util.List;

/**
 * How a job stands after a run.
 *
 * @param shortCircuits tasks that ended because too many records failed, in the last attempt
 * @param unread parts of the input that could not be read
 * @param unfinished tasks of the round that are not done
 */
public record JobReport(
    JobSpec spec,
    JobState state,
    List<ShortCircuit> shortCircuits,
    List<Unread> unread,
    int tasks,
    int unfinished,
    int attempts) {
  public JobReport {
    shortCircuits = List.copyOf(shortCircuits);
    unread = List.copyOf(unread);
  }

  public Books books() {
    return state.books();
  }
}
