package io.braid.spark;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.spark.JobExecutionStatus;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkJobInfo;
import org.apache.spark.SparkStageInfo;
import org.apache.spark.SparkStatusTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Jobs of Spark, tagged to tell them apart from others of the same session. When a job fails, Spark
 * reports that at once. Other tasks of the job may still run, and would write to folders that have
 * been removed.
 */
final class TaggedJobs {
  private static final Logger LOG = LoggerFactory.getLogger(TaggedJobs.class);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  // Spark never reports a job that was not begun.
  private static final Duration NO_JOB = Duration.ofSeconds(1);
  private static final long PAUSE_MILLIS = 20;

  private final SparkContext spark;
  private final String tag = "braid-" + UUID.randomUUID();

  TaggedJobs(SparkContext spark) {
    this.spark = spark;
  }

  <T> T run(Supplier<T> job) {
    begin();
    try {
      return job.get();
    } finally {
      over();
    }
  }

  /** Tags the jobs that this thread starts from now on. */
  void begin() {
    spark.addJobTag(tag);
  }

  /** Stops tagging the jobs that this thread starts. */
  void over() {
    spark.removeJobTag(tag);
  }

  /** Ends those that still run, and waits a minute at most until none of their tasks does. */
  void end() {
    if (spark.isStopped()) {
      return;
    }
    spark.cancelJobsWithTag(tag);
    long begin = System.nanoTime();
    boolean interrupted = false;
    while (atWork(System.nanoTime() - begin)) {
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        LOG.warn("Tasks still run a minute after their job: they may leave files behind.");
        break;
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns whether tagged jobs or their tasks still run. Reports of Spark come late, but in order:
   * the end of a job after the beginnings of its tasks.
   */
  private boolean atWork(long waitedNanos) {
    SparkStatusTracker status = spark.statusTracker();
    int[] jobs = status.getJobIdsForTag(tag);
    for (int job : jobs) {
      Option<SparkJobInfo> info = status.getJobInfo(job);
      if (info.isEmpty()) {
        continue;
      }
      if (info.get().status() == JobExecutionStatus.RUNNING) {
        return true;
      }
      for (int stage : info.get().stageIds()) {
        Option<SparkStageInfo> at = status.getStageInfo(stage);
        if (at.isDefined() && at.get().numActiveTasks() > 0) {
          return true;
        }
      }
    }
    return jobs.length == 0 && waitedNanos < NO_JOB.toNanos();
  }
}
