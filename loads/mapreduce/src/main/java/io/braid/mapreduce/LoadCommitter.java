package io.braid.mapreduce;

import io.braid.SharedBraid;
import io.braid.batch.engine.EngineLoad;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/**
 * Commits a job by one record. Tasks need no commit of their own: all attempts of a task stage the
 * same cells, which are not visible before.
 *
 * <p>The process that sets a job up has the database open until the job ends. The load is known by
 * the liveness of that process: without it, the load counts as one whose driver has died.
 */
final class LoadCommitter extends RepeatableCommitter {
  private @Nullable SharedBraid running;

  @Override
  public void setupJob(JobContext context) {
    Configuration settings = context.getConfiguration();
    leave();
    running = BraidJob.open(settings);
    try {
      EngineLoad.begin(
          running.db().loads(),
          BraidOutputFormat.load(context),
          BraidJob.required(settings, BraidJob.OUTPUT_TABLE),
          BraidJob.conflicts(settings));
    } catch (RuntimeException e) {
      leave();
      throw e;
    }
  }

  private void leave() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  @Override
  public void commitJob(JobContext context) throws IOException {
    try (SharedBraid shared = BraidJob.open(context.getConfiguration())) {
      load(shared, context).commit();
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
    // Not after a failure: then the commit is tried again, or the load given up.
    leave();
  }

  @Override
  public void abortJob(JobContext context, JobStatus.State state) throws IOException {
    try (SharedBraid shared = BraidJob.open(context.getConfiguration())) {
      if (!load(shared, context).abort()) {
        throw new IOException(
            "Load "
                + BraidOutputFormat.load(context)
                + " is committed, though the answer did not come: its rows are visible. Do not run"
                + " the job again.");
      }
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      leave();
    }
  }

  private static EngineLoad load(SharedBraid shared, JobContext context) {
    return EngineLoad.join(
        shared.db().loads(),
        BraidOutputFormat.load(context),
        BraidJob.conflicts(context.getConfiguration()));
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext context) {
    return false;
  }

  @Override
  public void commitTask(TaskAttemptContext context) {}

  @Override
  public void abortTask(TaskAttemptContext context) {}
}
