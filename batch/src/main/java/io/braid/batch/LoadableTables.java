package io.braid.batch;

/**
 * Which tables may be loaded. Asked before a job begins, and again whenever an epoch of the table
 * was read, so that a table under which something was installed meanwhile (an index) is refused:
 * what is installed is known before the epoch is raised.
 */
@FunctionalInterface
public interface LoadableTables {
  LoadableTables ALL = table -> {};

  /**
   * Returns when the table may be loaded.
   *
   * @throws io.braid.batch.job.JobException when it may not; the text says what to do
   */
  void require(String table);

  /**
   * An epoch was read, and is about to be known: what other processes have installed before it has
   * to be known as well.
   */
  default void lookAgain() {}
}
