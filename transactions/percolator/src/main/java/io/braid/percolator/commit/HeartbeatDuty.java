package io.braid.percolator.commit;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.store.Durability;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.rows.Heartbeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Refreshes the primary locks of long commits (Percolator, section 2.2). Most commits end before
 * their first beat. A commit that takes longer than transactions may live is not refreshed any
 * more. Then others may clean up behind it even while its process lives.
 */
public final class HeartbeatDuty implements AutoCloseable {
  private final PercolatorContext around;
  private final Seams seams;
  private final Duration interval;
  private final long maxAgeNanos;
  private final ConcurrentSkipListMap<Long, Beating> commits = new ConcurrentSkipListMap<>();
  private final Duty duty;

  public HeartbeatDuty(PercolatorContext around) {
    this.around = around;
    this.seams = around.seams();
    this.interval = around.options().locks().heartbeat();
    this.maxAgeNanos = around.options().patience().maxAge().toNanos();
    this.duty = Duty.start(seams, "braid-heartbeat", interval, this::beat);
  }

  /** A commit in two phases, from before its first prewrite to its end. */
  final class Beating implements AutoCloseable {
    private final PrimaryCell primary;
    private final long start;
    private final long begunNanos = seams.nanoTime();
    private volatile long wallMillis = seams.wallMillis();

    private Beating(PrimaryCell primary, long start) {
      this.primary = primary;
      this.start = start;
    }

    /** Returns the wall time for new locks. */
    long wallMillis() {
      return wallMillis;
    }

    /**
     * Returns a request whose wall time rises even when the clock does not, so that others see that
     * the owner is alive. Only the duty calls this.
     */
    private Heartbeat.Request next() {
      wallMillis = Math.max(wallMillis + 1, seams.wallMillis());
      return new Heartbeat.Request(
          primary, around.tables().epochIfThere(primary.row().table()), start, wallMillis);
    }

    @Override
    public void close() {
      commits.remove(start);
    }
  }

  public Beating begin(PrimaryCell primary, long start) {
    Beating beating = new Beating(primary, start);
    commits.put(start, beating);
    return beating;
  }

  /** Whether this process is committing the transaction now. */
  public boolean isCommitting(long start) {
    return commits.containsKey(start);
  }

  /** Refreshes the locks of all commits that have lasted half an interval and may last longer. */
  public boolean beat() {
    long now = seams.nanoTime();
    List<Heartbeat.Request> requests = new ArrayList<>(0);
    for (Beating each : commits.values()) {
      long age = now - each.begunNanos;
      if (age >= interval.toNanos() / 2 && age <= maxAgeNanos) {
        requests.add(each.next());
      }
    }
    if (!requests.isEmpty()) {
      around.trips().executeWhereThere(Heartbeat.INSTANCE, requests, Durability.BUFFERED);
    }
    return false;
  }

  @Override
  public void close() {
    duty.close();
  }
}
