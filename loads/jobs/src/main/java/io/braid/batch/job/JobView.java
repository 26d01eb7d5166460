package io.braid.batch.job;

import org.apiguardian.api.API;

/** Watches a job. Called from one task at a time, about once a second. */
@API(status = API.Status.EXPERIMENTAL)
public interface JobView {
  /** Watches nothing. */
  JobView NONE = progress -> {};

  /** The phase in which files are taken over when all records are read. */
  String IMPORT = "import";

  /**
   * The progress of a round.
   *
   * @param phase {@code load} while records are read, {@code import} while the remaining files are
   *     taken over
   * @param records of the round, as far as is known
   * @param done read by tasks that are done, at work, or ended early; never less than before. In
   *     the second phase, taken over
   * @param failed rejected or left for retry
   * @param nanos since the phase began
   * @param after expected seconds of the work after reading; when all is read, of the rest of that
   *     work
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
    /** Makes the progress of a phase without work after it. */
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
