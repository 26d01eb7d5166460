package io.braid.mapreduce;

import io.braid.serving.build.EngineBuild;
import io.braid.serving.build.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apiguardian.api.API;

/**
 * Builds a version of a served store (Voldemort, section 4.2.1): each reduce task all chunks of
 * some partitions of the ring. Keys and values are the bytes of a {@code BytesWritable}, or the
 * text of anything else. The folders {@code node-N} of the output are whole when the job has
 * committed, and can be pushed from there.
 *
 * <p>{@link #set set} determines the build and its place; the job's reduction makes one value of
 * each key.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class StoreOutputFormat extends OutputFormat<Object, Object> {
  /** The directory of the folders. */
  public static final String DIRECTORY = "braid.store.directory";

  private static final String BUILD = "braid.store.build";

  /** Has a job build this, with as many reduce tasks, into a directory that does not exist yet. */
  public static void set(Job job, EngineBuild build, String directory) {
    job.getConfiguration().set(BUILD, build.text());
    job.getConfiguration().set(DIRECTORY, directory);
    job.setNumReduceTasks(build.tasks());
    job.setPartitionerClass(StorePartitioner.class);
    job.setOutputFormatClass(StoreOutputFormat.class);
  }

  /** Returns the build: at the snapshot that a {@link BraidInputFormat} reads, if there is one. */
  static EngineBuild build(Configuration settings) {
    EngineBuild build = EngineBuild.decode(BraidJob.required(settings, BUILD));
    long snapshot = settings.getLong(BraidJob.SNAPSHOT, 0);
    return snapshot == 0 ? build : build.snapshot(snapshot);
  }

  static SharedFolder out(JobContext context) throws IOException {
    return SharedFolder.of(
        new Path(BraidJob.required(context.getConfiguration(), DIRECTORY)),
        context.getConfiguration());
  }

  /** Returns the folder in which an attempt writes. */
  static SharedFolder attempt(TaskAttemptContext context) throws IOException {
    return out(context).in(StoreCommitter.PARTS).in(context.getTaskAttemptID().toString());
  }

  @Override
  public RecordWriter<Object, Object> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    EngineBuild build = build(context.getConfiguration());
    int task = context.getTaskAttemptID().getTaskID().getId();
    return new TupleWriter(
        build.begin(task, Files.createTempDirectory("braid-store-")), attempt(context));
  }

  @Override
  public void checkOutputSpecs(JobContext context) throws IOException {
    int tasks = build(context.getConfiguration()).tasks();
    if (context.getNumReduceTasks() != tasks) {
      throw new IllegalArgumentException(
          "The store is built by "
              + tasks
              + " reduce tasks, and the job has "
              + context.getNumReduceTasks()
              + ": leave their number as StoreOutputFormat.set has set it.");
    }
    SharedFolder out = out(context);
    if (!out.names().isEmpty()) {
      throw new FileAlreadyExistsException(
          "Directory " + out + " is not empty: name another one, or clear it first.");
    }
  }

  @Override
  public OutputCommitter getOutputCommitter(TaskAttemptContext context) {
    return new StoreCommitter();
  }
}
