package io.braid.mapreduce;

import io.braid.serving.build.EngineCommit;
import io.braid.serving.build.SharedFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Each attempt writes into a folder of its own. The folder of the attempt that may commit becomes
 * its task's. The job's commit moves the files of all tasks into the folders of the nodes, and
 * writes the manifests last.
 */
final class StoreCommitter extends RepeatableCommitter {
  /** Within the output, until the job ends. */
  static final String PARTS = "_parts";

  private static final String TASK = "task-";

  @Override
  public void setupJob(JobContext context) throws IOException {
    StoreOutputFormat.out(context).in(PARTS).create();
  }

  /** Returns false for map tasks, which have no files. */
  @Override
  public boolean needsTaskCommit(TaskAttemptContext context) throws IOException {
    return !StoreOutputFormat.attempt(context).names().isEmpty();
  }

  @Override
  public void commitTask(TaskAttemptContext context) throws IOException {
    StoreOutputFormat.attempt(context).replace(task(context));
  }

  private static SharedFolder task(TaskAttemptContext context) throws IOException {
    int task = context.getTaskAttemptID().getTaskID().getId();
    return StoreOutputFormat.out(context).in(PARTS).in(TASK + task);
  }

  @Override
  public void abortTask(TaskAttemptContext context) throws IOException {
    StoreOutputFormat.attempt(context).delete();
  }

  @Override
  public void commitJob(JobContext context) throws IOException {
    SharedFolder out = StoreOutputFormat.out(context);
    SharedFolder parts = out.in(PARTS);
    List<SharedFolder> tasks = new ArrayList<>();
    for (String name : parts.names()) {
      if (name.startsWith(TASK)) {
        tasks.add(parts.in(name));
      }
    }
    new EngineCommit(StoreOutputFormat.build(context.getConfiguration()), out).run(tasks);
    parts.delete();
  }

  @Override
  public void abortJob(JobContext context, JobStatus.State state) throws IOException {
    SharedFolder out = StoreOutputFormat.out(context);
    for (String name : out.names()) {
      out.in(name).delete();
    }
  }
}
