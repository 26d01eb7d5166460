package io.braid.batch.job;

/** What somebody can have done with a job that has not ended. */
public enum JobStep {
  /** Do the tasks that are not done; take a commit that was begun to its end. */
  RESUME,
  /** Try the records again that were not written. */
  RETRY,
  /** Make an atomic load visible without the records that remain. */
  COMMIT,
  /** End the job; of an atomic load nobody will have seen anything. */
  CANCEL
}
