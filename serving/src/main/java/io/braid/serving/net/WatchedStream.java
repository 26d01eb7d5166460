package io.braid.serving.net;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * The body of an answer, closed when its reader waits for long: a process that stands still keeps
 * its connections, and the reader would wait for ever.
 */
final class WatchedStream extends FilterInputStream {
  private static final long NOBODY = -1;

  private final Seams seams;
  private final Duration silence;
  private final long begun;
  private final Signal closing;
  // Nanoseconds since it was begun.
  private volatile long waitsSince = NOBODY;
  private volatile boolean silent;
  private volatile boolean closed;

  private WatchedStream(Seams seams, InputStream in, Duration silence) {
    super(in);
    this.seams = seams;
    this.silence = silence;
    this.begun = seams.nanoTime();
    this.closing = seams.signal();
  }

  static InputStream of(Seams seams, InputStream in, Duration silence) {
    WatchedStream watched = new WatchedStream(seams, in, silence);
    seams.start("watch-answer", watched::watch);
    return watched;
  }

  private void watch() {
    Duration left = silence;
    while (!closed && left.compareTo(Duration.ZERO) > 0) {
      closing.await(left);
      long since = waitsSince;
      long waited = since == NOBODY ? 0 : seams.nanoTime() - begun - since;
      left = silence.minusNanos(waited);
    }
    if (!closed) {
      silent = true;
      try {
        in.close();
      } catch (IOException e) {
        // Its reader hears of it.
      }
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    waitsSince = seams.nanoTime() - begun;
    try {
      int n = in.read(to, offset, length);
      if (n < 0 && silent) {
        throw new IOException("closed");
      }
      return n;
    } catch (IOException e) {
      throw silent ? new IOException("Nothing came for long from the other end.", e) : e;
    } finally {
      waitsSince = NOBODY;
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    closing.raise();
    super.close();
  }
}
