package io.braid.testkit.history;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a history to a file, each entry with one write call as it ends: when the process is
 * killed, at most the line in flight is lost or torn. Safe for many threads.
 */
public final class HistoryRecorder implements HistorySink, AutoCloseable {
  private final OutputStream out;

  private HistoryRecorder(OutputStream out) {
    this.out = out;
  }

  /** Begins a new history; a file of that name is replaced. */
  public static HistoryRecorder create(Path file) {
    try {
      return new HistoryRecorder(Files.newOutputStream(file));
    } catch (IOException e) {
      throw new UncheckedIOException("The history cannot be written to " + file + ".", e);
    }
  }

  /** Writes to a stream, which it closes. */
  public static HistoryRecorder to(OutputStream out) {
    return new HistoryRecorder(out);
  }

  @Override
  public void record(HistoryEntry entry) {
    byte[] line = HistoryLine.write(entry);
    synchronized (this) {
      try {
        out.write(line);
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException("An entry of the history could not be written.", e);
      }
    }
  }

  @Override
  public synchronized void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The history could not be closed.", e);
    }
  }
}
