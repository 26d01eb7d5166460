package io.braid.server.coordinator;

import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.store.StoreException;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.TimestampBound;
import io.braid.server.coordination.Coordination;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's readiness to be the coordinator. Takes the lease when no process has it, begins a
 * new oracle at the durable bound, and answers until the lease is lost or the process ends.
 */
public final class Coordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

  /** The register that contains the lease. */
  static final String REGISTER = "coordinator";

  private static final int TURNS = 8;

  private final Seams seams;
  private final TimestampBound bound;
  private final Liveness liveness;
  private final int cells;
  private final CoordinatorServer server;
  private final Lease lease;
  private final Duty duty;
  private final Duty watcher;
  private volatile @Nullable Leadership leadership;
  private volatile boolean closed;

  /**
   * @param terms under which this process takes part
   * @throws IOException when the port is taken
   */
  public Coordinator(
      Coordination coordination, TimestampBound bound, Seams seams, Participant.Terms terms)
      throws IOException {
    this.seams = seams;
    this.bound = bound;
    Duration pause = terms.lease().dividedBy(TURNS);
    this.cells = terms.cells();
    this.liveness = coordination.liveness();
    String token = liveness.token();
    this.server =
        new CoordinatorServer(
            terms.address(), terms.port(), terms.trust(), seams, token, () -> leadership);
    String door = terms.address().getHostAddress() + " " + server.port();
    this.lease = new Lease(coordination.register(REGISTER), seams, terms.lease(), token, door);
    this.duty = Duty.start(seams, "braid-coordinator", pause, this::turn);
    this.duty.wake();
    // Not in the task that renews the lease: the processes that it asks may be slow to answer.
    this.watcher =
        Duty.start(seams, "braid-coordinator-members", terms.lease(), this::watchMembers);
  }

  /** Returns null while another process is the leader, or none. */
  @Nullable Leadership leadership() {
    return leadership;
  }

  /** Returns whether this process is the leader now. */
  public boolean leads() {
    return leadership != null && lease.isTrusted();
  }

  /** Returns a figure of this process, which leads. */
  long figure(Leadership now, ManagerFigure figure) {
    return server.figure(now, figure);
  }

  int port() {
    return server.port();
  }

  /** Looks at the lease now: a caller misses a coordinator. */
  void nudge() {
    duty.wake();
  }

  private boolean watchMembers() {
    if (leadership != null && !closed) {
      server.endGone(liveness::isAlive);
    }
    return false;
  }

  private boolean turn() {
    Leadership now = leadership;
    if (closed) {
      return false;
    }
    if (now == null) {
      if (lease.tryTake()) {
        leadership = begin();
        LOG.info("This process is the coordinator now.");
      }
    } else if (now.isDeposed() || !lease.renew()) {
      LOG.warn("This process is the coordinator no longer.");
      leave();
    }
    return false;
  }

  /**
   * Without a bound this process does not lead: another one shall try, and has no lease to wait
   * for.
   */
  private Leadership begin() {
    try {
      return new Leadership(new LocalOracle(bound, seams), lease, seams, cells);
    } catch (RuntimeException e) {
      lease.giveBack();
      throw e;
    }
  }

  private void leave() {
    leadership = null;
    server.endAll();
    lease.giveBack();
  }

  @Override
  public void close() {
    closed = true;
    duty.close();
    watcher.close();
    server.close();
    try {
      leave();
    } catch (StoreException e) {
      LOG.debug("The lease was not given back, it will run out: {}", e.toString());
    }
  }
}
