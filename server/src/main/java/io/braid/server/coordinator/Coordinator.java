package io.braid.server.coordinator;

import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.TimestampBound;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordination.Coordination;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's readiness to be the coordinator. Takes the lease when nobody has it, begins a new
 * oracle at the durable bound, and answers until the lease is lost or the process ends.
 */
public final class Coordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

  /** The register that the lease stands in. */
  static final String REGISTER = "coordinator";

  private static final int TURNS = 8;
  private static final Duration STOP = Duration.ofSeconds(10);

  private final Seams seams;
  private final TimestampBound bound;
  private final Duration pause;
  private final Duration watch;
  private final Liveness liveness;
  private final int cells;
  private final CoordinatorServer server;
  private final Lease lease;
  private final Signal nudge;
  private final Signal over;
  private final Task task;
  private final Task watcher;
  private volatile @Nullable Office office;
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
    this.pause = terms.lease().dividedBy(TURNS);
    this.watch = terms.lease();
    this.cells = terms.cells();
    this.liveness = coordination.liveness();
    String token = liveness.token();
    this.server =
        new CoordinatorServer(
            terms.address(), terms.port(), terms.trust(), seams, token, () -> office);
    String door = terms.address().getHostAddress() + " " + server.port();
    this.lease = new Lease(coordination.register(REGISTER), seams, terms.lease(), token, door);
    this.nudge = seams.signal();
    this.over = seams.signal();
    this.task = seams.start("braid-coordinator", this::run);
    this.watcher = seams.start("braid-coordinator-members", this::watchMembers);
  }

  /** Null while another process is the coordinator, or none. */
  @Nullable Office office() {
    return office;
  }

  /** Whether this process answers for all now. */
  public boolean inOffice() {
    return office != null && lease.isTrusted();
  }

  /** What this process has done in an office that it holds. */
  long figure(Office now, ManagerFigure figure) {
    return server.figure(now, figure);
  }

  int port() {
    return server.port();
  }

  /** Somebody misses a coordinator: look at the lease now. */
  void nudge() {
    nudge.raise();
  }

  private void run() {
    while (!closed) {
      try {
        turn();
      } catch (StoreException | TimestampUnavailableException e) {
        LOG.debug("The lease of the coordinator could not be looked at: {}", e.toString());
      }
      nudge.await(pause);
    }
  }

  /** Not in the task that renews the lease: whom it asks may be slow to answer. */
  private void watchMembers() {
    while (!closed) {
      over.await(watch);
      if (office != null && !closed) {
        server.endGone(liveness::isAlive);
      }
    }
  }

  private void turn() {
    Office now = office;
    if (now == null) {
      if (lease.tryTake()) {
        office = begin();
        LOG.info("This process is the coordinator now.");
      }
    } else if (now.isDeposed() || !lease.renew()) {
      LOG.warn("This process is the coordinator no longer.");
      leave();
    }
  }

  /**
   * Without a bound there is no office: then another process shall try, and has no lease to wait
   * for.
   */
  private Office begin() {
    try {
      return new Office(new LocalOracle(bound, seams), lease, seams, cells);
    } catch (RuntimeException e) {
      lease.giveBack();
      throw e;
    }
  }

  private void leave() {
    office = null;
    server.endAll();
    lease.giveBack();
  }

  @Override
  public void close() {
    closed = true;
    nudge.raise();
    over.raise();
    task.join(STOP);
    watcher.join(STOP);
    server.close();
    try {
      leave();
    } catch (StoreException e) {
      LOG.debug("The lease was not given back, it will run out: {}", e.toString());
    }
  }
}
