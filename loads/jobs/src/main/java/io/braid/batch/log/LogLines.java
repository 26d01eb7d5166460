package io.braid.batch.log;

import io.braid.batch.JobException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The whole lines of a log from a place on. Holds one of them at a time, however long the log. */
public final class LogLines implements Closeable {
  private static final int LONGEST = 1 << 20;

  private final Path file;
  private final InputStream in;
  private long position;

  /**
   * @param from where a line begins
   * @throws IllegalArgumentException when none begins there
   */
  public LogLines(Path file, long from) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try {
      if (!beginsAt(channel, from)) {
        throw new IllegalArgumentException(
            "No entry of the log begins there, or not any more: begin at its first page.");
      }
      channel.position(from);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    this.file = file;
    this.in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
    this.position = from;
  }

  private static boolean beginsAt(FileChannel channel, long from) throws IOException {
    ByteBuffer before = ByteBuffer.allocate(1);
    return from == 0 || from > 0 && channel.read(before, from - 1) == 1 && before.get(0) == '\n';
  }

  /**
   * Returns the next line; null when there is no further complete line.
   *
   * @throws JobException when a line is longer than any of a log
   */
  public @Nullable String next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        position += line.size() + 1;
        return line.toString(StandardCharsets.UTF_8);
      }
      if (line.size() == LONGEST) {
        throw new JobException("Log " + file + " is damaged: a line never ends.");
      }
      line.write(b);
    }
    return null;
  }

  /** Returns where the next line begins. */
  public long position() {
    return position;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
