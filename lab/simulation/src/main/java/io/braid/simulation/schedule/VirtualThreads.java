package io.braid.simulation.schedule;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that take turns on one thread of the system: control goes from one to the next
 * without the kernel. They need a JVM in which a virtual thread may park in a monitor (24 or newer)
 * and {@code --add-opens java.base/java.lang=ALL-UNNAMED}, since nothing public makes virtual
 * threads with an executor of one's own.
 */
final class VirtualThreads implements Threads, Executor {
  private static final int FIRST_RELEASE = 24;
  private static final @Nullable MethodHandle CREATE = find();

  private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();
  private final Thread driver;
  private boolean started;
  private volatile boolean idle;
  private volatile boolean closed;

  private VirtualThreads() {
    driver = new Thread(this::drive, "simulated");
    driver.setDaemon(true);
  }

  /** Null where this JVM has none. */
  static @Nullable VirtualThreads ifPossible() {
    return CREATE == null ? null : new VirtualThreads();
  }

  private static @Nullable MethodHandle find() {
    if (Runtime.version().feature() < FIRST_RELEASE) {
      return null;
    }
    try {
      Class<?> builders = Class.forName("java.lang.ThreadBuilders");
      MethodType type =
          MethodType.methodType(
              Thread.class, Executor.class, String.class, int.class, Runnable.class);
      return MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
          .findStatic(builders, "newVirtualThread", type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  @Override
  public Thread create(String name, Runnable body) {
    if (!started) {
      started = true;
      driver.start();
    }
    try {
      MethodHandle create = CREATE;
      if (create == null) {
        throw new IllegalStateException("This JVM has no virtual threads.");
      }
      return (Thread) create.invoke((Executor) this, name, 0, body);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("No virtual thread could be made: " + e, e);
    }
  }

  /** Takes the work of a virtual thread up to its next park. */
  @Override
  public void execute(Runnable turn) {
    ready.add(turn);
    if (idle) {
      LockSupport.unpark(driver);
    }
  }

  /** Ends the thread of the system once no virtual thread can go on. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(driver);
  }

  private void drive() {
    while (true) {
      Runnable turn = ready.poll();
      if (turn != null) {
        turn.run();
      } else if (closed) {
        return;
      } else {
        idle = true;
        if (ready.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        idle = false;
      }
    }
  }
}
