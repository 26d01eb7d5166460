package io.braid.batch.job;

/** Watches a job. Called from one task at a time, about once a second. */
public interface JobView {
  /** Watches nothing. */
  JobView NONE = progress -> {};

  /** The phase in which files are taken over when all records are read. */
  String IMPORT = "import";

  /**
   * How far a round is.
   *
   * @param phase {@code load} while records are read, {@code import} while files are taken over
   *     that were not beside that
   * @param records of the round, as far as is known
   * @param done read by tasks that are done, at work, or ended early; never less than before. Of
   *     the second phase, taken over
   * @param failed rejected or left for retry
   * @param nanos since the phase began
   * @param after seconds that what follows the reading is expected to take; when all is read, that
   *     the rest is
   */
  record Progress(
      String phase,
      long records,
      long done,
      long failed,
      int tasks,
      int tasksDone,
      long nanos,
      double after) {
    /** Of what nothing follows. */
    public Progress(
        String phase, long records, long done, long failed, int tasks, int tasksDone, long nanos) {
      this(phase, records, done, failed, tasks, tasksDone, nanos, 0);
    }

    Progress followedBy(double seconds) {
      return new Progress(phase, records, done, failed, tasks, tasksDone, nanos, seconds);
    }

    /** Records a second. */
    public double rate() {
      return nanos == 0 ? 0 : done * 1e9 / nanos;
    }

    /** Seconds to go; negative when that is not known. */
    public double secondsLeft() {
      if (phase.equals(IMPORT)) {
        return after;
      }
      return done == 0 || records < done ? -1 : (records - done) / rate() + after;
    }
  }

  /** Hears how far the job is. */
  void progress(Progress progress);
}
