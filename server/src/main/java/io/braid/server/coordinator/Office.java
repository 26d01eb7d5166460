package io.braid.server.coordinator;

import io.braid.core.time.LocalOracle;
import io.braid.core.time.OracleDeposedException;
import io.braid.core.time.TimestampOracle;

/**
 * What the coordinator answers from, for as long as its lease lasts.
 *
 * <p>A timestamp is drawn first and the lease looked at then: at that instant nobody else had begun
 * to give out timestamps, so this one lies above all that were received before it was asked for.
 * What was drawn too late is thrown away. The oracle's own bound keeps the timestamps of different
 * holders apart in any case (Omid, section 3.4).
 */
final class Office implements TimestampOracle {
  private final LocalOracle oracle;
  private final Lease lease;
  private final LockTable locks = new LockTable();
  private volatile boolean deposed;

  Office(LocalOracle oracle, Lease lease) {
    this.oracle = oracle;
    this.lease = lease;
  }

  @Override
  public long next(int count) {
    try {
      long first = oracle.next(count);
      requireLease();
      return first;
    } catch (OracleDeposedException e) {
      deposed = true;
      throw new NotCoordinatorException();
    }
  }

  @Override
  public long lastIssued() {
    long last = oracle.lastIssued();
    requireLease();
    return last;
  }

  /** Whether somebody else has raised the bound: then this oracle gives out nothing any more. */
  boolean isDeposed() {
    return deposed;
  }

  LockTable locks() {
    requireLease();
    return locks;
  }

  /** The locks of a session become free. */
  void end(Object session) {
    locks.end(session);
  }

  private void requireLease() {
    if (!lease.isTrusted()) {
      throw new NotCoordinatorException();
    }
  }
}
