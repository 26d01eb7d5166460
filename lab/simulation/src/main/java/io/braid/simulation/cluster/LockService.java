package io.braid.simulation.cluster;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The lock service of the cluster: which processes are alive, and which process holds which
 * advisory lock. The session of a process ends some time after the process died or stopped moving.
 * A process that moves again has its session back.
 */
final class LockService {
  static final long SESSION_NANOS = Duration.ofSeconds(2).toNanos();

  private final SimScheduler scheduler;
  private final Faults faults;
  private final Map<String, SimProcess> sessions = new HashMap<>();
  private final Map<String, Holder> holders = new HashMap<>();

  private record Holder(String owner, SimProcess process) {}

  LockService(SimScheduler scheduler, Faults faults) {
    this.scheduler = scheduler;
    this.faults = faults;
  }

  /** The view of a process that begins. */
  View join(SimProcess process) {
    String token = process.name() + "#" + sessions.size();
    sessions.put(token, process);
    return new View(token, process);
  }

  private boolean hasSession(SimProcess process) {
    if (process.isDead()) {
      return scheduler.now() - process.diedAt() < SESSION_NANOS;
    }
    if (process.isPaused() && scheduler.now() - process.pausedAt() >= SESSION_NANOS) {
      return !faults.strikes(Fault.SESSION_LOST);
    }
    return true;
  }

  /** The view that one process has of the service. */
  final class View implements Liveness, AdvisoryLocks {
    private final String token;
    private final SimProcess process;

    private View(String token, SimProcess process) {
      this.token = token;
      this.process = process;
    }

    @Override
    public String token() {
      return token;
    }

    @Override
    public boolean isAlive(String other) {
      scheduler.checkAlive();
      SimProcess owner = sessions.get(other);
      return owner != null && hasSession(owner);
    }

    @Override
    public boolean tryLock(String name, String owner) {
      scheduler.checkAlive();
      Holder holder = holders.get(name);
      if (holder != null && hasSession(holder.process)) {
        return false;
      }
      holders.put(name, new Holder(owner, process));
      return true;
    }

    @Override
    public void unlock(String name, String owner) {
      scheduler.checkAlive();
      Holder holder = holders.get(name);
      if (holder != null && holder.process == process && holder.owner.equals(owner)) {
        holders.remove(name);
      }
    }
  }
}
