package io.braid.simulation.schedule;

import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A signal between tasks of one host; the seed chooses which of several waiters goes on. */
public final class SimSignal implements Signal {
  private final SimScheduler scheduler;
  private final List<SimTask> waiters = new ArrayList<>();
  private boolean raised;

  public SimSignal(SimScheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public void raise() {
    scheduler.checkAlive();
    int waiting = 0;
    for (SimTask task : waiters) {
      waiting += task.waiting ? 1 : 0;
    }
    if (waiting == 0) {
      raised = true;
      return;
    }
    int before = scheduler.random().nextInt(waiting);
    for (SimTask task : waiters) {
      if (task.waiting && before-- == 0) {
        scheduler.wake(task);
        return;
      }
    }
  }

  @Override
  public boolean await(Duration timeout) {
    if (raised && !Thread.currentThread().isInterrupted()) {
      scheduler.mayYield();
      if (raised) {
        raised = false;
        return true;
      }
    }
    SimTask me = scheduler.current();
    waiters.add(me);
    try {
      return scheduler.park("await", timeout, true);
    } finally {
      waiters.remove(me);
    }
  }
}
