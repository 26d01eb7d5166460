package io.braid.batch.job;

import io.braid.batch.FailureCode;
import io.braid.batch.JobException;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.log.JobFiles;
import io.braid.batch.sink.FailureLog;
import io.braid.core.runtime.Durable;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The retry log and the detailed log of one task: the records as they stood in the input, and what
 * was wrong with each. Neither file is there as long as nothing is in it.
 */
final class TaskLogs implements FailureLog, Closeable {
  /** The retry log has the record; what is told of it may hold a field that is as long. */
  private static final int LONGEST_DETAIL = 2000;

  private final Path directory;
  private final InputTask task;
  private final InputFile file;
  private @Nullable OutputStream retry;
  private @Nullable OutputStream detailed;
  private boolean closed;

  /** Begins anew: what an earlier try of the task has logged here goes. */
  TaskLogs(Path directory, InputTask task, InputFile file) throws IOException {
    this.directory = directory;
    this.task = task;
    this.file = file;
    Files.deleteIfExists(retry(directory, task));
    Files.deleteIfExists(detailed(directory, task));
  }

  static Path retry(Path directory, InputTask task) {
    return directory.resolve(task.name() + ".retry");
  }

  static Path detailed(Path directory, InputTask task) {
    return directory.resolve(task.name() + ".detailed.jsonl");
  }

  @Override
  public synchronized void failed(RawRecord record, FailureCode code, int attempts, String detail) {
    if (closed) {
      // Whoever was interrupted has not waited: to open them again would be to begin them anew.
      throw new JobException("The task " + task.name() + " has ended: nothing more is logged.");
    }
    try {
      if (retry == null || detailed == null) {
        retry = open(retry(directory, task));
        detailed = open(detailed(directory, task));
      }
      retry.write(record.bytes().toArray());
      retry.write('\n');
      FailureEntry entry =
          new FailureEntry(
              task.number(),
              file.path(),
              record.offset(),
              code.name(),
              code.permanent(),
              attempts,
              detail.length() > LONGEST_DETAIL
                  ? detail.substring(0, LONGEST_DETAIL) + "..."
                  : detail);
      detailed.write(JobFiles.JSON.writeValueAsString(entry).getBytes(StandardCharsets.UTF_8));
      detailed.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("The logs of " + task.name() + " cannot be written.", e);
    }
  }

  private static OutputStream open(Path path) throws IOException {
    return new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
  }

  /** Ends both logs; they are on the disk when this returns. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (retry != null && detailed != null) {
      retry.close();
      detailed.close();
      Durable.sync(retry(directory, task));
      Durable.sync(detailed(directory, task));
      retry = null;
      detailed = null;
      Durable.syncDirectory(directory);
    }
  }
}
