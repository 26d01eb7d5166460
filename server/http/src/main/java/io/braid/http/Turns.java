package io.braid.http;

import io.braid.core.failure.ErrorCode;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for the work on requests. Work needs one of the few <em>turns</em>; more work waits in a
 * bounded queue, without a thread; there the connections take turns. A request that asks other
 * processes ({@link RemoteCallKind}) waits without a turn: the requests of those processes may need
 * a turn here. Work never waits for a client.
 */
final class Turns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);
  private static final long IDLE_SECONDS = 10;
  private static final long END_SECONDS = 5;
  private static final long PATIENCE_SECONDS = 2;
  private static final ThreadLocal<@Nullable Turns> CURRENT = new ThreadLocal<>();

  /**
   * Work that waits.
   *
   * @param refused gets the reason when work of others takes its place; null: it has begun, and has
   *     to go on
   */
  private record Work(Runnable body, @Nullable Consumer<HttpRefusal> refused) {}

  private final Bounds bounds;
  private final Map<RemoteCallKind, Semaphore> asking = new EnumMap<>(RemoteCallKind.class);
  private final ThreadPoolExecutor threads;
  private final FairQueue<Work> queue = new FairQueue<>();
  private int free;
  private int working; // threads
  private int resuming;

  /**
   * How much goes on at a time.
   *
   * @param turns requests that are worked on
   * @param asking requests of each kind that wait for other processes
   * @param queue requests that wait for a turn
   */
  record Bounds(int turns, int asking, int queue) {
    private static final long EACH_ASKING = 4 << 20;

    /**
     * @param turns at most; fewer where there is little memory
     */
    static Bounds of(int turns) {
      long each = Runtime.getRuntime().maxMemory() / EACH_ASKING;
      return new Bounds(AnswerMemory.atATime(turns), (int) Math.max(16, Math.min(256, each)), 512);
    }
  }

  Turns(String name, Bounds bounds) {
    this(bounds, named(name));
  }

  Turns(Bounds bounds, ThreadFactory factory) {
    this.bounds = bounds;
    this.free = bounds.turns();
    for (RemoteCallKind each : RemoteCallKind.values()) {
      asking.put(each, new Semaphore(bounds.asking(), true));
    }
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // a thread for each turn and each request that asks, at most
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            factory);
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return body -> {
      Thread thread = new Thread(body, name + "-" + number.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns the turns that the calling thread has one of, if any. */
  static Optional<Turns> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /**
   * Does some work when its turn comes. When too much waits, the newest work of the connection that
   * has most is refused.
   *
   * @param owner whose work it is: a connection
   * @param refused gets the reason when the work is not done: too much waits, or the system has no
   *     thread
   */
  void execute(Object owner, Runnable body, Consumer<HttpRefusal> refused) {
    Work work = new Work(body, refused);
    Consumer<HttpRefusal> tooMany = null;
    synchronized (this) {
      if (queue.size() < bounds.queue()) {
        queue.add(owner, work);
      } else {
        tooMany = displace(owner, work);
      }
    }
    if (tooMany != null) {
      tooMany.accept(busy("Too many requests are waiting: try again later."));
    }
    dispatch();
    boolean noThread;
    synchronized (this) {
      noThread = working == 0 && queue.remove(owner, work);
    }
    if (noThread) {
      refused.accept(busy("The system has no thread for a request: try again later."));
    }
  }

  /** Adds work in the place of work of an owner who has more. Returns the one to refuse. */
  private @Nullable Consumer<HttpRefusal> displace(Object owner, Work work) {
    Object most = queue.largest(owner);
    Work newest = most == null ? null : queue.newest(most);
    if (most == null || newest == null || newest.refused() == null) {
      return work.refused();
    }
    queue.remove(most, newest);
    queue.add(owner, work);
    return newest.refused();
  }

  /** Goes on with work that has begun, when its turn comes. */
  void goOn(Object owner, Runnable work) {
    synchronized (this) {
      queue.add(owner, new Work(work, null));
    }
    dispatch();
  }

  private static HttpRefusal busy(String message) {
    return new HttpRefusal(503, ErrorCode.BUSY.word(), message);
  }

  /** Starts a thread for work that waits, if there is a turn for it. */
  private void dispatch() {
    synchronized (this) {
      if (queue.isEmpty() || free <= resuming) {
        return;
      }
      free--;
      working++;
    }
    try {
      threads.execute(this::work);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      LOG.warn("No thread for a request: {}.", e.getMessage());
      synchronized (this) {
        free++; // a thread that there is takes the work when it is done
        working--;
      }
    }
  }

  /** Works with one turn, until nothing waits. */
  private void work() {
    CURRENT.set(this);
    try {
      for (Work next = next(); next != null; next = next()) {
        run(next.body());
      }
    } finally {
      CURRENT.remove();
    }
  }

  private synchronized @Nullable Work next() {
    Work next = resuming > free ? null : queue.poll();
    if (next == null) {
      working--;
      giveTurn();
    }
    return next;
  }

  private static void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A request has failed.", e);
    }
  }

  private synchronized void giveTurn() {
    free++;
    notifyAll();
  }

  private void takeTurn() {
    boolean interrupted = false;
    synchronized (this) {
      resuming++;
      while (free == 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      resuming--;
      free--;
    }
    dispatch();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Asks other processes without a turn, and then waits for a turn again. Work with a turn never
   * waits for others, and work that asks waits only for kinds that come later in {@link
   * RemoteCallKind}. So all of it comes to an end.
   */
  <T, E extends Exception> T ask(RemoteCallKind kind, RemoteCallKind.RemoteCall<T, E> call)
      throws E, IOException {
    Semaphore places = Objects.requireNonNull(asking.get(kind));
    CURRENT.remove();
    giveTurn();
    dispatch();
    boolean place = false;
    try {
      place = isFree(places);
      if (!place) {
        throw busy("Too many requests wait for other nodes: try again later.");
      }
      return call.call();
    } finally {
      if (place) {
        places.release();
      }
      takeTurn();
      CURRENT.set(this);
    }
  }

  private static boolean isFree(Semaphore places) {
    try {
      return places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the number of free turns. */
  synchronized int free() {
    return free;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Requests are still being answered.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
