package io.braid.batch.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A log of a job: one entry a line, each on the disk before the next step. */
public final class JobLog<T> {
  private final Path file;
  private final Class<T> type;

  public JobLog(Path file, Class<T> type) {
    this.file = file;
    this.type = type;
  }

  public synchronized void add(T entry) throws IOException {
    JobFiles.append(file, entry);
  }

  /** Returns all entries; an entry that was not written completely does not count. */
  public synchronized List<T> read() throws IOException {
    return JobFiles.readLog(file, type);
  }
}
