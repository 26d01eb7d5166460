package io.braid.http;

import io.braid.core.failure.ErrorCode;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges with clients of a request and its answer, each on a thread of its own for as long as a
 * request and its answer take. Most of the time of a slow client is waiting: for the rest of its
 * request, or for the client to take the answer. Only the work between needs one of the few
 * <em>turns</em>, so clients that are slow, on purpose or not, do not keep others from being
 * served. A request that asks other processes ({@link RemoteCallKind}) waits without a turn too:
 * the requests of those processes may need a turn here. When too many exchanges wait, or when their
 * requests and answers fill too much memory, the exchange that began first is cut off.
 */
final class Exchanges implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Exchanges.class);
  private static final long IDLE_SECONDS = 10;
  private static final long END_SECONDS = 5;
  private static final long PATIENCE_SECONDS = 2;
  private static final ThreadLocal<@Nullable Exchange> CURRENT = new ThreadLocal<>();

  private final Bounds bounds;
  private final Semaphore turns;
  private final Map<RemoteCallKind, Semaphore> asking = new EnumMap<>(RemoteCallKind.class);
  private final ThreadPoolExecutor threads;
  private final Set<Exchange> going = new LinkedHashSet<>(); // that which began first comes first
  private int waiting;
  private long held;
  private long cutOff;

  /**
   * How much goes on at a time.
   *
   * @param turns requests that are worked on
   * @param asking requests of each kind that wait for other processes
   * @param queue requests that wait for a turn
   * @param waiting exchanges that wait for their clients
   * @param bytes of bodies and answers of those that wait for their clients
   */
  record Bounds(int turns, int asking, int queue, int waiting, long bytes) {
    private static final long EACH_ASKING = 4 << 20;

    /**
     * @param turns at most; fewer where there is little memory
     */
    static Bounds of(int turns) {
      long memory = Runtime.getRuntime().maxMemory();
      int asking = (int) Math.max(16, Math.min(256, memory / EACH_ASKING));
      return new Bounds(AnswerMemory.atATime(turns), asking, 512, 512, memory / 8);
    }
  }

  /** Reads from a client, or writes to it. */
  interface ClientTransfer {
    void run() throws IOException;
  }

  Exchanges(String name, Bounds bounds) {
    this(bounds, named(name));
  }

  Exchanges(Bounds bounds, ThreadFactory factory) {
    this.bounds = bounds;
    this.turns = new Semaphore(bounds.turns(), true);
    for (RemoteCallKind each : RemoteCallKind.values()) {
      asking.put(each, new Semaphore(bounds.asking(), true));
    }
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // a thread for each connection at most, and those are bounded
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

  /** Returns the exchange of the calling thread, if it is one of a pool of exchanges. */
  static Optional<Exchange> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /**
   * Begins one.
   *
   * @throws RejectedExecutionException when the system has no thread for it; the connection ends
   */
  @Override
  public void execute(Runnable job) {
    try {
      threads.execute(() -> run(job));
    } catch (OutOfMemoryError e) {
      // A client that tries again finds the thread of the exchange that makes room.
      boolean room = makeRoom();
      LOG.warn("No thread for a request: the system refuses more. Another one ends: {}.", room);
      throw new RejectedExecutionException("No thread can be started for a request.", e);
    }
  }

  private void run(Runnable job) {
    Exchange exchange = begin();
    try {
      job.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A request has failed.", e);
    } finally {
      end(exchange);
    }
  }

  private synchronized boolean makeRoom() {
    return cutFirst(each -> true);
  }

  /** How many were cut off. */
  synchronized long cutOff() {
    return cutOff;
  }

  /** How many wait for their clients. */
  synchronized int waiting() {
    return waiting;
  }

  /** Returns the number of free turns. */
  int turns() {
    return turns.availablePermits();
  }

  /** Bytes of those that wait for their clients. */
  synchronized long held() {
    return held;
  }

  private Exchange begin() {
    Exchange exchange = new Exchange(Thread.currentThread());
    CURRENT.set(exchange);
    synchronized (this) {
      going.add(exchange);
      await(exchange);
    }
    return exchange;
  }

  private void end(Exchange exchange) {
    CURRENT.remove();
    synchronized (this) {
      proceed(exchange);
      going.remove(exchange);
    }
  }

  /** From now on the exchange waits for its client. */
  private synchronized void await(Exchange exchange) {
    if (exchange.cut) {
      // All further reads and writes of the exchange, such as the rest of a body, end at once.
      exchange.thread.interrupt();
      return;
    }
    exchange.waits = true;
    waiting++;
    held += exchange.bytes;
    if (waiting > bounds.waiting()) {
      cutFirst(each -> each != exchange);
    }
    while (held > bounds.bytes() && cutFirst(each -> each != exchange && each.bytes > 0)) {
      // There may be several small ones.
    }
  }

  private synchronized void proceed(Exchange exchange) {
    if (exchange.waits) {
      leave(exchange);
    } else if (exchange.cut) {
      // The interrupt was for the wait, which is over.
      Thread.interrupted();
    }
  }

  private void leave(Exchange exchange) {
    exchange.waits = false;
    waiting--;
    held -= exchange.bytes;
  }

  /**
   * Cuts off the first matching exchange that waits. The interrupt closes the connection that its
   * thread reads or writes.
   */
  private boolean cutFirst(Predicate<Exchange> which) {
    for (Exchange each : going) {
      if (each.waits && which.test(each)) {
        leave(each);
        each.cut = true;
        cutOff++;
        each.thread.interrupt();
        return true;
      }
    }
    return false;
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

  /** One of them; used by its own thread. */
  final class Exchange {
    private final Thread thread;
    private long bytes;
    private boolean waits;
    private boolean cut;
    private boolean hasTurn;

    private Exchange(Thread thread) {
      this.thread = thread;
    }

    /**
     * Waits for a turn.
     *
     * @throws HttpRefusal when too many wait
     * @throws IOException when the client has been cut off
     */
    void takeTurn() throws IOException {
      proceed(this);
      if (turns.getQueueLength() >= bounds.queue()) {
        throw new HttpRefusal(
            503, ErrorCode.BUSY.word(), "Too many requests are waiting: try again later.");
      }
      resume();
    }

    private void resume() throws IOException {
      turns.acquireUninterruptibly();
      hasTurn = true;
      if (cut) {
        throw new IOException("A slow client was cut off, to make room for others.");
      }
    }

    /** The work is done; what remains to be sent may take its time. */
    void giveTurn() {
      if (hasTurn) {
        hasTurn = false;
        turns.release();
        await(this);
      }
    }

    /**
     * Asks other processes without a turn, and then waits for a turn again. An exchange with a turn
     * never waits for others, and an exchange that asks waits only for kinds that come later in
     * {@link RemoteCallKind}. So all of them come to an end.
     */
    <T, E extends Exception> T ask(RemoteCallKind kind, RemoteCallKind.RemoteCall<T, E> call)
        throws E, IOException {
      if (!hasTurn) {
        return call.call();
      }
      Semaphore places = Objects.requireNonNull(asking.get(kind));
      hasTurn = false;
      turns.release();
      boolean place = false;
      try {
        place = isFree(places);
        if (!place) {
          throw new HttpRefusal(
              503,
              ErrorCode.BUSY.word(),
              "Too many requests wait for other nodes: try again later.");
        }
        return call.call();
      } finally {
        if (place) {
          places.release();
        }
        resume();
      }
    }

    private boolean isFree(Semaphore places) {
      try {
        return places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    /** Something of the request has come in, and is in memory from now on. */
    void hold(int more) {
      bytes += more;
    }

    /**
     * Reads or writes without a turn, and waits for one again.
     *
     * @param more bytes that are in memory meanwhile
     */
    void transfer(long more, ClientTransfer io) throws IOException {
      if (!hasTurn) {
        io.run();
        return;
      }
      bytes += more;
      giveTurn();
      try {
        io.run();
      } finally {
        proceed(this);
        bytes -= more;
        resume();
      }
    }
  }
}
