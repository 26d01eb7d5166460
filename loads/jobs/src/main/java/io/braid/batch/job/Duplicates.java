package io.braid.batch.job;

/** What happens when a key comes more than once in the input. */
public enum Duplicates {
  /** The job is refused before it writes anything. */
  FAIL,
  /** The last one counts: of the last file that has it, the last record. */
  LAST,
  /** They are made one record, by a {@link io.braid.batch.reduce.RecordReducer}. */
  REDUCE,
  /**
   * Nobody looks before. A record that the job meets where it has written another value is
   * rejected; which of the two came first is chance.
   */
  UNCHECKED
}
