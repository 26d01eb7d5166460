package io.braid.batch.job;

import org.apiguardian.api.API;

/** The treatment of a key that occurs more than once in the input. */
@API(status = API.Status.EXPERIMENTAL)
public enum Duplicates {
  /** The job is refused before it writes anything. */
  FAIL,
  /** The last record counts: of the last file that has the key, the last record. */
  LAST,
  /** The records are made one, by a {@link io.braid.batch.reduce.RecordReducer}. */
  REDUCE,
  /**
   * The job does not check before. A record is rejected where the job has written another value;
   * which of the two came first is chance.
   */
  UNCHECKED
}
