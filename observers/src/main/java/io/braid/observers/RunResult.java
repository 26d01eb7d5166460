package io.braid.observers;

/** The result of one observer on one row. */
sealed interface RunResult {
  /**
   * All changes up to the start timestamp have been dealt with, or are dead letters.
   *
   * @param ran whether the observer had to run for it
   */
  record Clean(long start, boolean ran) implements RunResult {}

  /**
   * Others were first, or the store could not be reached: try again after a pause.
   *
   * @param conflicted whether others were first
   */
  record Again(boolean conflicted) implements RunResult {}

  /** The observer threw, now or earlier; it may run again in so many nanoseconds. */
  record Failed(long pauseNanos) implements RunResult {}

  /**
   * The observer has run too often on the row, or altogether; it may again in so many nanoseconds.
   */
  record TooFast(long pauseNanos) implements RunResult {}

  /** There was no time for it: at once again. */
  record NotReached() implements RunResult {}

  /** The row, or what was notified of, is gone with its table. */
  record Gone() implements RunResult {}

  /** The observer is paused; its work is kept. */
  record Paused() implements RunResult {}

  /** There is something to do, but not here: only other processes have the code. */
  record Elsewhere() implements RunResult {}
}
