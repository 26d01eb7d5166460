package io.braid.batch.job;

/** Watches a job. Called from one task at a time, about once a second. */
public interface JobView {
  /** Watches nothing. */
  JobView NONE = progress -> {};

  /**
   * How far a round is.
   *
   * @param records of the round, as far as is known
   * @param done read by tasks that are done or at work
   * @param failed rejected or left for retry
   * @param nanos since the attempt began
   */
  record Progress(
      String phase, long records, long done, long failed, int tasks, int tasksDone, long nanos) {
    /** Records a second. */
    public double rate() {
      return nanos == 0 ? 0 : done * 1e9 / nanos;
    }

    /** Seconds to go; negative when that is not known. */
    public double secondsLeft() {
      return done == 0 || records < done ? -1 : (records - done) / rate();
    }
  }

  /** Hears how far the job is. */
  void progress(Progress progress);
}
