package io.braid.serving.net;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer, closed when its reader waits for long: a process that stands still keeps
 * its connections, and the reader would wait for ever.
 */
final class WatchedStream extends FilterInputStream {
  private static final long NOBODY = -1;

  private final long silence;
  private final long begun = System.nanoTime();
  // Nanoseconds since it was begun.
  private volatile long waitsSince = NOBODY;
  private volatile boolean silent;
  private volatile boolean closed;

  private WatchedStream(InputStream in, Duration silence) {
    super(in);
    this.silence = silence.toNanos();
  }

  static InputStream of(InputStream in, Duration silence) {
    WatchedStream watched = new WatchedStream(in, silence);
    watched.watch(watched.silence);
    return watched;
  }

  private void watch(long in) {
    CompletableFuture.delayedExecutor(in, TimeUnit.NANOSECONDS).execute(this::look);
  }

  private void look() {
    long since = waitsSince;
    long waited = since == NOBODY ? 0 : System.nanoTime() - begun - since;
    if (closed) {
      return;
    }
    if (waited < silence) {
      watch(silence - waited);
      return;
    }
    silent = true;
    try {
      in.close();
    } catch (IOException e) {
      // Its reader hears of it.
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    waitsSince = System.nanoTime() - begun;
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
    super.close();
  }
}
