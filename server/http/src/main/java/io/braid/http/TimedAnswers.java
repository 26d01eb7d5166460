package io.braid.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bodies of HTTP answers that end after a long silence. The time limit of a request in the JDK's
 * client ends with the headers of the answer. A process that stops after the headers would keep its
 * reader waiting for ever.
 */
public final class TimedAnswers {
  private TimedAnswers() {}

  /**
   * Gives out a body as it comes in. Its reads throw an {@link HttpTimeoutException} after the end.
   *
   * @param silence how long a reader may wait; how long it takes between two reads is no matter
   */
  public static BodyHandler<InputStream> within(Duration silence) {
    return head ->
        BodySubscribers.mapping(BodySubscribers.ofInputStream(), in -> new Body(in, silence));
  }

  private static final class Body extends FilterInputStream {
    private static final long NOBODY = -1;

    private final long silence;
    private final long begun = System.nanoTime();
    // Nanoseconds since it was begun.
    private volatile long waitsSince = NOBODY;
    private volatile boolean silent;
    private volatile boolean closed;
    private volatile CompletableFuture<Void> look = CompletableFuture.completedFuture(null);

    Body(InputStream in, Duration silence) {
      super(in);
      this.silence = silence.toNanos();
      watch(this.silence);
    }

    private void watch(long nanos) {
      CompletableFuture<Void> next = new CompletableFuture<>();
      next.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS).thenRun(this::look);
      look = next;
    }

    private void look() {
      long since = waitsSince;
      long left = since == NOBODY ? silence : since + silence - (System.nanoTime() - begun);
      if (closed) {
        return;
      }
      if (left > 0) {
        watch(left);
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
        throw silent ? new HttpTimeoutException("Nothing came for long from the other end.") : e;
      } finally {
        waitsSince = NOBODY;
      }
    }

    @Override
    public void close() throws IOException {
      closed = true;
      // Takes the timer away.
      look.cancel(false);
      super.close();
    }
  }
}
