package io.braid.batch.job;

import java.util.Locale;

/**
 * Where a job stands.
 *
 * @param round the round it is in, from 0 on
 * @param books of all rounds that have ended; with what a broken round has done
 * @param message why it stands there, for people
 * @param changedMillis since 1970
 */
public record JobState(Phase phase, int round, Books books, String message, long changedMillis) {

  /** The states of a job. */
  public enum Phase {
    /** Made; nothing is written yet. */
    MADE,
    /** A process works on it, or died over it. */
    RUNNING,
    /** An atomic load is staged as a whole: {@code resume} takes it to its end. */
    STAGED,
    /** Everything stands in the table. */
    DONE,
    /** The whole input was read, and some records were not written: {@code retry} tries them. */
    REMAINDER,
    /** Parts of the input are not done: {@code resume} does them. */
    FAILED,
    /** Given up. What it has written stays. */
    CANCELLED
  }

  public boolean ended() {
    return phase == Phase.DONE || phase == Phase.CANCELLED;
  }

  /**
   * The phase in a word; {@code interrupted} when nobody works on a job that was being worked on.
   *
   * @param worked whether a process works on it now
   */
  public String word(boolean worked) {
    return phase == Phase.RUNNING && !worked
        ? "interrupted"
        : phase.name().toLowerCase(Locale.ROOT);
  }
}
