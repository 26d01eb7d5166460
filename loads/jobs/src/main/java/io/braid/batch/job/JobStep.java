package io.braid.batch.job;

import org.apiguardian.api.API;

/** A step that a user can request for a job that has not ended. */
@API(status = API.Status.EXPERIMENTAL)
public enum JobStep {
  /** Do the tasks that are not done; take a commit that has begun to its end. */
  RESUME,
  /** Try the records again that were not written. */
  RETRY,
  /** Make an atomic load visible without the records that remain. */
  COMMIT,
  /** End the job. No reader will have seen anything of an atomic load. */
  CANCEL
}
