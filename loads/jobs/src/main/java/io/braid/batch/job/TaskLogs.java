package io.braid.batch.job;

import io.braid.batch.FailureCode;
import io.braid.batch.JobException;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.log.JobFiles;
import io.braid.batch.sink.FailureLog;
import io.braid.core.runtime.DurableFiles;
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
 * The retry log and the detailed log of one task: the original records of the input, and the error
 * of each. Neither file exists while it would be empty.
 */
final class TaskLogs implements FailureLog, Closeable {
  /**
   * The maximum length of a detail. The retry log has the record; the detail may quote a long
   * field.
   */
  private static final int LONGEST_DETAIL = 2000;

  private final Path directory;
  private final InputTask task;
  private final InputFile file;
  private @Nullable OutputStream retry;
  private @Nullable OutputStream detailed;
  private boolean closed;

  /** Starts over: deletes the logs that an earlier try of the task left here. */
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
      // An interrupted caller closes the logs without waiting for its writers. Opening the logs
      // again would start them over.
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
      DurableFiles.sync(retry(directory, task));
      DurableFiles.sync(detailed(directory, task));
      retry = null;
      detailed = null;
      DurableFiles.syncDirectory(directory);
    }
  }
}
