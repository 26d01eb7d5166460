package io.braid.batch.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The state of a job.
 *
 * @param round the current round, from 0 on
 * @param counts of all rounds that have ended, and of the finished part of a broken round; files
 *     say {@code books}
 * @param message the reason for the state, for people
 * @param changedMillis since 1970
 */
@API(status = API.Status.EXPERIMENTAL)
public record JobState(
    Phase phase,
    int round,
    @JsonProperty("books") RecordCounts counts,
    String message,
    long changedMillis) {

  /** The states of a job. */
  public enum Phase {
    /** Made; nothing is written yet. */
    MADE,
    /** A process works on it, or died over it. */
    RUNNING,
    /** An atomic load is staged as a whole: {@code resume} takes it to its end. */
    STAGED,
    /** All records are in the table. */
    DONE,
    /** The whole input was read, and some records were not written: {@code retry} tries them. */
    REMAINDER,
    /** Parts of the input are not done: {@code resume} does them. */
    FAILED,
    /** Given up. The records that the job has written stay. */
    CANCELLED
  }

  public boolean ended() {
    return phase == Phase.DONE || phase == Phase.CANCELLED;
  }

  /**
   * Returns the phase in a word; {@code interrupted} when no process works any more on a running
   * job.
   *
   * @param worked whether a process works on the job now
   */
  public String word(boolean worked) {
    return phase == Phase.RUNNING && !worked
        ? "interrupted"
        : phase.name().toLowerCase(Locale.ROOT);
  }
}
