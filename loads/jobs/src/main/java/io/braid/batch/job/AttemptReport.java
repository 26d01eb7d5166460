package io.braid.batch.job;

import java.util.Locale;

/**
 * What an attempt came to, as its logs tell.
 *
 * @param begunMillis since 1970; 0: that was not noted
 * @param endedMillis since 1970; 0: it has not ended, or nobody could note it
 * @param why it ended so, for people
 * @param newest whether no other attempt of the job came later
 * @param books of the tasks that it did and of those whose input it could not read to the end
 * @param shortCircuited tasks that it ended because too many records failed
 * @param unread tasks whose input it could not read to the end
 */
public record AttemptReport(
    int round,
    int number,
    long begunMillis,
    long endedMillis,
    End end,
    String why,
    boolean newest,
    Books books,
    int tasksDone,
    int shortCircuited,
    int unread) {

  /** How an attempt ended. */
  public enum End {
    /** It has not, or nobody could note it. */
    NONE,
    /** Every task of the round is done. */
    DONE,
    /** Tasks of the round are not done. */
    INCOMPLETE,
    /** It was broken off by a failure. */
    FAILED,
    /** Somebody asked for the end of the job. */
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
