package io.braid.http;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.ReadProgress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a process for the requests and answers that it holds at a time. Each server opens a
 * <em>hold</em> for a request until its answer is on the way. Code that gathers an answer takes
 * room for each addition. A hold that finds no room waits if it is empty or the oldest one. All
 * others are refused and may come again, so that holds never wait in a circle. Memory that becomes
 * free while the oldest hold waits is for that hold. An answer larger than the whole memory is
 * refused for good.
 */
public final class AnswerMemory {
  /**
   * Up to this many bytes, a request does not wait for room: there are not many such requests at a
   * time.
   */
  private static final long SMALL = 256 << 10;

  /** Bytes that a request may have in memory before it takes them. */
  private static final long UNKNOWN = 32 << 20;

  /**
   * The memory that a value of a request takes beside its bytes until it is done: as text, as an
   * operation, as a waiting write, as a part of a commit. With 160 MiB of heap, one request could
   * write 100,000 columns, but not 200,000.
   */
  static final int VALUE = 700;

  private static final AnswerMemory PROCESS =
      new AnswerMemory(
          Runtime.getRuntime().maxMemory() / 8 * 3, TimeUnit.SECONDS.toNanos(2), SMALL);
  private static final ThreadLocal<@Nullable Hold> CURRENT = new ThreadLocal<>();

  private final long most;
  private final long small;
  private final long patience;
  private final Set<Hold> holding = new LinkedHashSet<>(); // the one that began first comes first
  private boolean firstWaits;
  private long taken;

  /**
   * @param most bytes
   * @param patience how many nanoseconds a request waits for room
   * @param small bytes that a request takes without waiting
   */
  AnswerMemory(long most, long patience, long small) {
    this.small = small;
    this.most = most;
    this.patience = patience;
  }

  /**
   * Returns how many requests to work on at a time: each may have read much before its size is
   * known and taken.
   *
   * @param most where there is enough memory
   */
  public static int atATime(int most) {
    return (int) Math.max(2, Math.min(most, Runtime.getRuntime().maxMemory() / UNKNOWN));
  }

  /** Opens a hold for the answer of the calling thread; called by a server. */
  public static Hold hold() {
    return PROCESS.open();
  }

  /**
   * Opens a hold for the answer of the calling thread; called by a server.
   *
   * @param wanted is asked again and again while the thread reads; it throws when the answer any
   *     more
   */
  public static Hold hold(Runnable wanted) {
    Hold hold = PROCESS.open();
    hold.wanted = wanted;
    return hold;
  }

  /**
   * Takes room at once or not at all, for work that one thread hands to another. The caller has to
   * close the hold.
   *
   * @throws HttpRefusal as {@link #take} does
   */
  public static Hold holdNow(long bytes) {
    return PROCESS.openNow(bytes);
  }

  /**
   * Takes room in the hold of the calling thread; where no server has opened one there is no bound.
   *
   * @param bytes of values
   * @param copies how often they are in memory until the answer is on the way
   * @throws HttpRefusal 503 when others fill the memory, 413 when this answer alone would
   */
  public static void take(long bytes, int copies) {
    Hold hold = CURRENT.get();
    if (hold != null) {
      hold.take(bytes * copies);
    }
  }

  /**
   * As {@link #take}, for what a request is made of.
   *
   * @param values so many, each with its name
   */
  public static void takeValues(long values) {
    take(values, VALUE);
  }

  /**
   * Reads something, with room for the data that the store gathers meanwhile. To go on with the
   * result, the caller takes room for it.
   *
   * @throws HttpRefusal as {@link #take} does; 503 also when memory ends nevertheless
   */
  public static <T extends @Nullable Object> T reading(Supplier<T> read) {
    Hold hold = CURRENT.get();
    if (hold == null) {
      return read.get();
    }
    long before = hold.bytes;
    try {
      return gathering(read);
    } finally {
      hold.giveBack(hold.bytes - before);
    }
  }

  /**
   * Reads like {@link #reading}, and keeps the room: the gathered data is itself a part of the
   * answer.
   */
  public static <T extends @Nullable Object> T gathering(Supplier<T> read) {
    Hold hold = CURRENT.get();
    if (hold == null) {
      return read.get();
    }
    hold.wanted.run();
    try {
      return ReadProgress.during(hold::goOn, read);
    } catch (OutOfMemoryError e) {
      throw full();
    }
  }

  /** Gives up the room of the calling thread: what is left of its answer is counted elsewhere. */
  static void release() {
    Hold hold = CURRENT.get();
    if (hold != null) {
      hold.release();
    }
  }

  Hold open() {
    Hold hold = new Hold(CURRENT.get());
    CURRENT.set(hold);
    return hold;
  }

  Hold openNow(long bytes) {
    Hold hold = new Hold(null);
    synchronized (this) {
      requirePossible(bytes);
      if (bytes > small && (firstWaits || taken + bytes > most)) {
        throw full();
      }
      hold.add(bytes);
    }
    return hold;
  }

  private void requirePossible(long bytes) {
    if (bytes > most) {
      throw new HttpRefusal(
          413,
          ErrorCode.TOO_LONG.word(),
          "This needs more memory than this server has: read, or send, less at a time.");
    }
  }

  synchronized long taken() {
    return taken;
  }

  /** The memory that one request has taken. */
  public final class Hold implements AutoCloseable {
    private final @Nullable Hold outer;
    private long bytes;
    private Runnable wanted = () -> {};

    private Hold(@Nullable Hold outer) {
      this.outer = outer;
    }

    private void goOn(long more) {
      wanted.run();
      if (more > 0) {
        take(more);
      }
    }

    void take(long more) {
      synchronized (AnswerMemory.this) {
        requirePossible(bytes + more);
        if (bytes + more > small) {
          awaitRoom(more);
        }
        add(more);
      }
    }

    private void add(long more) {
      bytes += more;
      taken += more;
      holding.add(this);
    }

    private void awaitRoom(long more) {
      boolean first = bytes > 0 && holding.iterator().next() == this;
      long end = System.nanoTime() + patience;
      try {
        while (taken + more > most || (firstWaits && !first)) {
          long left = end - System.nanoTime();
          if (left <= 0 || (bytes > 0 && !first)) {
            throw full();
          }
          firstWaits |= first;
          TimeUnit.NANOSECONDS.timedWait(AnswerMemory.this, left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw full();
      } finally {
        if (first) {
          firstWaits = false;
          AnswerMemory.this.notifyAll();
        }
      }
    }

    @Override
    public void close() {
      if (CURRENT.get() == this) {
        if (outer == null) {
          CURRENT.remove();
        } else {
          CURRENT.set(outer);
        }
      }
      release();
    }

    private void release() {
      giveBack(bytes);
    }

    private void giveBack(long fewer) {
      if (fewer == 0) {
        return; // as most requests do: they need not meet at the monitor
      }
      synchronized (AnswerMemory.this) {
        bytes -= fewer;
        taken -= fewer;
        if (bytes == 0) {
          holding.remove(this);
        }
        AnswerMemory.this.notifyAll();
      }
    }
  }

  /**
   * Returns the answer for the case that memory ended during the work on a request.
   *
   * @param changes whether the request may have changed something; otherwise it may simply be sent
   *     again
   */
  public static HttpRefusal ended(boolean changes) {
    return changes
        ? new HttpRefusal(
            504,
            ErrorCode.OUTCOME_UNKNOWN.word(),
            "The memory of the server ended while it did this: it may have been done or not.")
        : full();
  }

  private static HttpRefusal full() {
    return new HttpRefusal(
        503,
        ErrorCode.BUSY.word(),
        "Other requests fill the memory of this server: try again later.");
  }
}
