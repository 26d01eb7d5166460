package io.braid.mapreduce;

import io.braid.SharedBraid;
import io.braid.batch.engine.EngineLoad;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apiguardian.api.API;

/**
 * Writes a column of a table: the key of the row and the value, each as the text of an object of
 * the job. Threads write in the background (section 3). Nothing is visible before the job commits;
 * then everything is, at one commit timestamp.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class BraidOutputFormat extends OutputFormat<Object, Object> {
  private static final int WORKERS = 4;
  private static final int MOST_WORKERS = 1000;

  /** The load of a job: its attempts in all processes know it by this. */
  static String load(JobContext context) {
    return "mr-" + context.getJobID();
  }

  @Override
  public RecordWriter<Object, Object> getRecordWriter(TaskAttemptContext context) {
    Configuration settings = context.getConfiguration();
    SharedBraid shared = BraidJob.open(settings);
    try {
      EngineLoad load =
          EngineLoad.join(shared.db().loads(), load(context), BraidJob.conflicts(settings));
      return new ColumnWriter(
          shared,
          load.sink("braid-" + context.getTaskAttemptID(), workers(settings)),
          BraidJob.column(settings, BraidJob.OUTPUT_COLUMN));
    } catch (RuntimeException e) {
      shared.close();
      throw e;
    }
  }

  private static int workers(Configuration settings) {
    int workers = settings.getInt(BraidJob.OUTPUT_WORKERS, WORKERS);
    if (workers < 1 || workers > MOST_WORKERS) {
      throw new IllegalArgumentException(
          "The setting "
              + BraidJob.OUTPUT_WORKERS
              + " is "
              + workers
              + ": a task has 1 to "
              + MOST_WORKERS
              + " workers.");
    }
    return workers;
  }

  @Override
  public void checkOutputSpecs(JobContext context) {
    Configuration settings = context.getConfiguration();
    workers(settings);
    BraidJob.conflicts(settings);
    String family = BraidJob.column(settings, BraidJob.OUTPUT_COLUMN).family();
    String table = BraidJob.required(settings, BraidJob.OUTPUT_TABLE);
    try (SharedBraid shared = BraidJob.open(settings)) {
      if (!shared.db().tables().families(table).contains(family)) {
        throw new IllegalArgumentException("Table " + table + " has no family " + family + ".");
      }
      shared.db().loads().loadable().require(table);
    }
  }

  @Override
  public OutputCommitter getOutputCommitter(TaskAttemptContext context) {
    return new LoadCommitter();
  }
}
