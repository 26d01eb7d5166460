package io.braid.simulation.schedule;

import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task of a host. The thread that has control owns its fields. */
public final class SimTask implements Task {
  private final SimScheduler scheduler;
  private final Runnable body;
  private final List<SimTask> joiners = new ArrayList<>();
  final Host host;
  final String name;

  /** The thread it runs on; null before it is first chosen. */
  @Nullable Carrier carrier;

  /** The last event of the task, for traces and reports. */
  String event = "start";

  boolean waiting;
  boolean woken;

  /** Counts its waits, so that a timer of an earlier one does nothing. */
  long waits;

  /** Whether a timer will end the wait. */
  boolean limited;

  /** Whether the wait ends when it is asked to stop. */
  boolean interruptible;

  /** An interrupt that its thread has yet to see. */
  boolean interrupt;

  /** How often it called after its host had died. */
  int callsAfterDeath;

  private boolean stopRequested;
  private boolean ended;

  SimTask(SimScheduler scheduler, Host host, String name, Runnable body) {
    this.scheduler = scheduler;
    this.host = host;
    this.name = host.name() + "/" + name;
    this.body = body;
  }

  void run() {
    try {
      scheduler.checkAlive(this);
      body.run();
    } catch (ProcessCrashed e) {
      if (!scheduler.isOver(host)) {
        scheduler.fail(new SimulationFailure(name + " met the crash of another process.", e));
      }
    } catch (Throwable e) {
      if (!scheduler.isOver(host)) {
        scheduler.fail(new SimulationFailure("Task " + name + " died of " + e, e));
      }
    } finally {
      ended = true;
      Thread.interrupted();
      joiners.forEach(scheduler::wake);
    }
  }

  /** Where it lives. */
  public Host host() {
    return host;
  }

  @Override
  public void stop() {
    stopRequested = true;
    if (carrier != null && carrier.isCurrent()) {
      Thread.currentThread().interrupt();
    } else {
      interrupt = true;
    }
    if (interruptible) {
      scheduler.endWait(this, false);
    }
  }

  @Override
  public boolean stopRequested() {
    return stopRequested;
  }

  @Override
  public boolean join(Duration timeout) {
    SimTask me = scheduler.current();
    long deadline = scheduler.deadline(timeout);
    joiners.add(me);
    try {
      while (!ended && scheduler.now() < deadline && !Thread.currentThread().isInterrupted()) {
        scheduler.park("join", deadline - scheduler.now(), true);
      }
    } finally {
      joiners.remove(me);
    }
    return ended;
  }

  /** Returns what these tasks wait for, and where. */
  static String describe(Collection<SimTask> tasks) {
    StringBuilder text = new StringBuilder();
    for (SimTask task : tasks) {
      text.append("\n  ").append(task);
      if (task.carrier != null && !task.carrier.isCurrent()) {
        for (StackTraceElement frame : task.carrier.stack()) {
          if (!frame.getClassName().startsWith("io.braid.simulation.schedule")
              && frame.getClassName().startsWith("io.braid")) {
            text.append("\n      at ").append(frame);
          }
        }
      }
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return name + " (" + event + ")";
  }
}
