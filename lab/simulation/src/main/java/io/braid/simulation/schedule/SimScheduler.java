package io.braid.simulation.schedule;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time in simulated time. A seed or a {@link Chooser} chooses the order.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>At most one thread has control. Only this thread touches this object, its tasks and all
 *       that is simulated. The thread gives control away in {@link #park} or at the end of its
 *       task. The scheduler has no thread of its own: a thread that parks chooses the next one,
 *       often itself.
 *   <li>Time moves only when no task can run. Timers run between tasks, on the thread that happens
 *       to have control, and never park.
 *   <li>Each choice depends on the seed and on earlier choices alone. All collections iterated here
 *       have an order, and only the watchdog reads a clock of the machine.
 * </ul>
 *
 * <p>A run is over when its root task ends or on a failure. Then every task that is left runs to
 * its end, and each of its calls throws {@link ProcessCrashed}.
 */
public final class SimScheduler {
  /** So many calls of one task after its death mean that it will not die. */
  private static final int MAX_CALLS_AFTER_DEATH = 1000;

  /** So many choices at one time mean that the time will never move again. */
  private static final int MAX_CHOICES_AT_ONE_TIME = 1_000_000;

  private static final double YIELD = 0.25;
  private static final long MEAN_YIELD_NANOS = 20_000;

  private final SimRandom random;
  private final Chooser chooser;
  private final long chosen;
  private final Trace trace;
  private final Threads threads;
  private final Timers timers = new Timers();
  private final List<SimTask> runnable = new ArrayList<>();
  private final Set<SimTask> live = new LinkedHashSet<>();
  private final ArrayDeque<Carrier> idle = new ArrayDeque<>();
  private final List<Carrier> carriers = new ArrayList<>();
  private long now;
  private LongConsumer clock = nanos -> {};
  private long endOfTime = Long.MAX_VALUE;
  private int choicesAtThisTime;
  private boolean over;
  private @Nullable SimTask root;
  private @Nullable SimTask current;
  private @Nullable Throwable failure;
  private final Watchdog watchdog = new Watchdog();

  /** Runs tasks on the quickest threads that this JVM has. */
  public SimScheduler(SimRandom random, Trace trace) {
    this(random, trace, Threads.quickest());
  }

  /** Runs tasks on the same threads, in the order that a chooser says. */
  public SimScheduler(SimRandom random, Trace trace, Chooser chooser) {
    this(random, trace, Threads.quickest(), chooser);
  }

  /**
   * @param threads what tasks run on; makes no difference to what they do
   */
  SimScheduler(SimRandom random, Trace trace, Threads threads) {
    this(random, trace, threads, tasks -> random.nextInt(tasks.size()));
  }

  private SimScheduler(SimRandom random, Trace trace, Threads threads, Chooser chooser) {
    this.random = random;
    this.chooser = chooser;
    this.chosen = random.ahead();
    this.trace = trace;
    this.threads = threads;
  }

  /** A number below a bound that the seed chooses for the whole run. */
  public int oneOf(int bound) {
    return (int) Math.floorMod(chosen, (long) bound);
  }

  /** Fails the run when it is not over by this simulated time. */
  public void endOfTime(Duration time) {
    endOfTime = time.toNanos();
  }

  /**
   * @param watcher takes the simulated nanoseconds since the beginning whenever they grow; it makes
   *     no difference to the run
   */
  public void watchedBy(LongConsumer watcher) {
    clock = watcher;
  }

  /**
   * Runs a root task and all that it starts until the root task ends.
   *
   * @param stall how long a task may keep control, in real time, before it is taken for stuck
   * @throws SimulationFailure when a task died, got stuck, or all of them wait for ever
   */
  public void run(Host host, String name, Duration stall, Runnable body) {
    root = spawn(host, name, body);
    SimTask first = choose();
    if (first != null) {
      resume(first);
      watchdog.watch(stall.toNanos(), this::stuck);
    }
    Throwable failed = failure;
    if (failed instanceof SimulationFailure simulated) {
      throw simulated;
    } else if (failed != null) {
      throw new SimulationFailure("The run failed: " + failed, failed);
    }
  }

  /** Simulated nanoseconds since the beginning. */
  public long now() {
    return now;
  }

  public SimRandom random() {
    return random;
  }

  public Trace trace() {
    return trace;
  }

  /** How often a task was chosen to go on. */
  public long choices() {
    return watchdog.choices();
  }

  /** The task that has control; for its own thread. */
  public SimTask current() {
    SimTask task = current;
    Carrier carrier = task == null ? null : task.carrier;
    if (task == null || carrier == null || !carrier.isCurrent()) {
      throw new IllegalStateException(
          "Thread "
              + Thread.currentThread().getName()
              + " was not started by the scheduler: start tasks through the seams.");
    }
    return task;
  }

  /** Starts a task. It runs when it is chosen. */
  public SimTask spawn(Host host, String name, Runnable body) {
    SimTask task = new SimTask(this, host, name, body);
    live.add(task);
    runnable.add(task);
    return task;
  }

  /** Runs {@code action} after a while, between tasks. It must not park. */
  public void after(long nanos, Runnable action) {
    timers.add(now + Math.max(0, nanos), action);
  }

  /** The time in {@code timeout} from now. */
  long deadline(Duration timeout) {
    long nanos =
        timeout.compareTo(Duration.ofDays(10_000)) > 0 ? Long.MAX_VALUE : timeout.toNanos();
    return nanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + Math.max(0, nanos);
  }

  /** As {@link #park(String, long, boolean)}, for a duration. */
  public boolean park(String event, Duration timeout, boolean interruptible) {
    return park(event, deadline(timeout) - now, interruptible);
  }

  /**
   * Gives control away until {@link #wake} or until time is up.
   *
   * @param event what for, for traces and reports
   * @param nanos how long at most; {@link Long#MAX_VALUE} for ever
   * @param interruptible whether an interrupt ends it; the interrupt stays set
   * @return whether it was woken
   * @throws ProcessCrashed when the host of the task has died
   */
  public boolean park(String event, long nanos, boolean interruptible) {
    SimTask me = current();
    checkAlive(me);
    me.interrupt |= Thread.interrupted();
    long limit = interruptible && me.interrupt ? 0 : nanos;
    me.event = event;
    me.waiting = true;
    me.interruptible = interruptible;
    long wait = ++me.waits;
    if (limit < Long.MAX_VALUE - now) {
      me.limited = true;
      timers.add(now + Math.max(0, limit), new WaitLimit(this, me, wait));
    }
    giveAway(me);
    me.event = "run";
    checkAlive(me);
    if (me.interrupt) {
      me.interrupt = false;
      Thread.currentThread().interrupt();
    }
    return me.woken;
  }

  private void giveAway(SimTask me) {
    SimTask next = choose();
    if (next != me) {
      resume(next);
      if (!Objects.requireNonNull(me.carrier).awaitControl()) {
        throw new ProcessCrashed(me.host.name());
      }
    }
  }

  /** Gives control away; goes on when it is chosen, without any time passing. */
  public void step(String event) {
    SimTask me = current();
    checkAlive(me);
    me.event = event;
    runnable.add(me);
    giveAway(me);
    checkAlive(me);
  }

  /** Gives control away for a moment, or not. */
  public void mayYield() {
    checkAlive();
    if (random.chance(YIELD)) {
      park("yield", random.around(MEAN_YIELD_NANOS), false);
    }
  }

  /** Ends the wait of a parked task; does nothing when it is not parked. */
  public void wake(SimTask task) {
    endWait(task, true);
  }

  void endWait(SimTask task, boolean woken) {
    if (task.waiting) {
      task.waiting = false;
      task.interruptible = false;
      task.woken = woken;
      runnable.add(task);
      if (task.limited) {
        task.limited = false;
        timers.vain();
      }
    }
  }

  /** Ends the waits of all tasks of a host that has just died. */
  public void wakeAll(Host host) {
    for (SimTask task : List.copyOf(live)) {
      if (task.host == host) {
        endWait(task, false);
      }
    }
  }

  /** Ends the run with a failure; the first one counts. */
  public void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    over = true;
  }

  boolean isOver(Host host) {
    return over || host.isDead();
  }

  /** Throws when the host of the current task is dead. */
  void checkAlive(SimTask task) {
    if (isOver(task.host)) {
      if (++task.callsAfterDeath > MAX_CALLS_AFTER_DEATH) {
        abandon(task);
      }
      throw new ProcessCrashed(task.host.name());
    }
  }

  /** Checks, like {@link #park}, that the host is alive; for calls that do not park. */
  public void checkAlive() {
    checkAlive(current());
  }

  /** Leaves a task behind that catches its own death and goes on. */
  private void abandon(SimTask task) {
    fail(
        new SimulationFailure(
            "Task " + task + " goes on although its process is dead.",
            new Throwable("it is here")));
    live.remove(task);
    resume(choose());
    while (true) {
      LockSupport.park();
    }
  }

  // Choosing.

  /** Returns the task that runs next; null if no task is left. */
  private @Nullable SimTask choose() {
    while (!over) {
      if (runnable.isEmpty()) {
        runNextTimer();
      } else {
        int index = chooser.choose(Collections.unmodifiableList(runnable));
        if (over) {
          break;
        }
        SimTask task = take(index);
        long wakes = task.host.pausedUntil();
        if (wakes > now && !task.host.isDead()) {
          timers.add(wakes, () -> runnable.add(task));
        } else {
          watchdog.chosen();
          trace.add(now, task.name, task.event, 0);
          return task;
        }
      }
      if (++choicesAtThisTime > MAX_CHOICES_AT_ONE_TIME) {
        fail(
            new SimulationFailure("Time stands still at " + now + " ns." + SimTask.describe(live)));
      }
    }
    return chooseDoomed();
  }

  private SimTask take(int index) {
    SimTask last = runnable.remove(runnable.size() - 1);
    return index == runnable.size() ? last : runnable.set(index, last);
  }

  private void runNextTimer() {
    if (timers.isEmpty()) {
      fail(new SimulationFailure("Deadlock: every task waits for ever." + SimTask.describe(live)));
      return;
    }
    long due = timers.due();
    Runnable action = Objects.requireNonNull(timers.take());
    if (due > endOfTime) {
      fail(
          new SimulationFailure(
              "Not at rest after " + Duration.ofNanos(endOfTime) + "." + SimTask.describe(live)));
      return;
    }
    if (due > now) {
      now = due;
      clock.accept(now);
      choicesAtThisTime = 0;
    }
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      fail(new SimulationFailure("An event failed: " + e, e));
    }
  }

  private @Nullable SimTask chooseDoomed() {
    live.removeIf(task -> task.carrier == null);
    for (SimTask task : live) {
      return task;
    }
    return null;
  }

  // Handing over.

  /** Gives control to a task, or, when there is none, back to the caller of {@link #run}. */
  private void resume(@Nullable SimTask task) {
    current = task;
    if (task == null) {
      finish();
      return;
    }
    Carrier carrier = task.carrier;
    if (carrier == null) {
      carrier = idle.isEmpty() ? newCarrier() : idle.pop();
      carrier.task = task;
      task.carrier = carrier;
    }
    carrier.grant();
  }

  private Carrier newCarrier() {
    Carrier carrier = new Carrier(this, threads, carriers.size());
    carriers.add(carrier);
    carrier.start();
    return carrier;
  }

  /**
   * A task has ended.
   *
   * @return the task that the same thread runs next; null when it has to wait for control
   */
  @Nullable SimTask ended(SimTask task, Carrier carrier) {
    live.remove(task);
    if (task == root) {
      over = true;
    }
    SimTask next = choose();
    if (next != null && next.carrier == null) {
      next.carrier = carrier;
      carrier.task = next;
      current = next;
      return next;
    }
    idle.push(carrier);
    resume(next);
    return null;
  }

  private void finish() {
    carriers.forEach(Carrier::dismiss);
    threads.close();
    watchdog.finished();
  }

  private SimulationFailure stuck() {
    SimTask task = current;
    Carrier carrier = task == null ? null : task.carrier;
    SimulationFailure failed =
        new SimulationFailure(
            "Task "
                + task
                + " keeps control without calling the scheduler: it blocks outside the seams, or"
                + " loops. The cause shows where.");
    if (carrier != null) {
      Throwable where = new Throwable("it is here");
      where.setStackTrace(carrier.stack());
      failed.initCause(where);
    }
    return failed;
  }
}
