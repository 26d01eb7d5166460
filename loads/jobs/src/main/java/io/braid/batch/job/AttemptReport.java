package io.braid.batch.job;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The result of an attempt, according to its logs.
 *
 * @param begunMillis since 1970; 0: the time was not noted
 * @param endedMillis since 1970; 0: the attempt has not ended, or its end could not be noted
 * @param why the reason for its end, for people
 * @param newest whether no other attempt of the job came later
 * @param counts of the tasks that the attempt did, and of those whose input it could not read to
 *     the end
 * @param shortCircuited tasks that the attempt ended because too many records failed
 * @param unread tasks whose input the attempt could not read to the end
 */
@API(status = API.Status.EXPERIMENTAL)
public record AttemptReport(
    int round,
    int number,
    long begunMillis,
    long endedMillis,
    End end,
    String why,
    boolean newest,
    RecordCounts counts,
    int tasksDone,
    int shortCircuited,
    int unread) {

  /** How an attempt ended. */
  public enum End {
    /** The attempt has not ended, or its end could not be noted. */
    NONE,
    /** Every task of the round is done. */
    DONE,
    /** Tasks of the round are not done. */
    INCOMPLETE,
    /** The attempt was interrupted by a failure. */
    FAILED,
    /** The end of the job was requested. */
    CANCELLED
  }

  /** Its name within the job, as {@code 0.1}. */
  public String name() {
    return round + "." + number;
  }

  /**
   * Its end in a word; without one {@code running}, {@code interrupted}, or {@code unknown}.
   *
   * @param worked whether a process works on the job now
   */
  public String word(boolean worked) {
    if (end != End.NONE) {
      return end.name().toLowerCase(Locale.ROOT);
    }
    if (worked && newest) {
      return "running";
    }
    return begunMillis == 0 ? "unknown" : "interrupted";
  }
}
