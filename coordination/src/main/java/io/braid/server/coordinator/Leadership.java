package io.braid.server.coordinator;

import io.braid.core.runtime.Seams;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * The state from which the coordinator answers for as long as its lease lasts: timestamps, commits
 * of Omid's protocol (its transaction manager, section 3.2.1), advisory locks, and hints that it
 * passes on.
 *
 * <p>A timestamp is drawn first, and the lease is checked afterwards. At the instant of the check
 * no other process had begun to give out timestamps. So this timestamp lies above all that were
 * received before it was requested. A timestamp that was drawn too late is discarded. The oracle's
 * own bound keeps the timestamps of different holders apart in any case (Omid, section 3.4).
 *
 * <p>The manager draws its commit timestamps in the same way, and checks the lease once more before
 * an answer leaves. A grant that is late all the same does no harm. Its timestamp was drawn under
 * the lease, so it lies below every start timestamp of the next leader; the intents that it commits
 * were durable by then. A transaction that begins under the next leader meets these intents, and
 * settles at the commit entry which of the two was first. The next leader refuses transactions that
 * began under this one: its map begins with a timestamp of its own.
 */
final class Leadership implements TimestampOracle {
  private final LocalOracle oracle;
  private final Lease lease;
  private final Seams seams;
  private final LockTable locks = new LockTable();
  private final HintBoard hints;
  private final LocalTransactionManager manager;
  private volatile boolean deposed;

  private final LongAdder timestamps = new LongAdder();
  private final LongAdder messages = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

  /**
   * @param cells how many the conflict map holds
   */
  Leadership(LocalOracle oracle, Lease lease, Seams seams, int cells) {
    this.oracle = oracle;
    this.lease = lease;
    this.seams = seams;
    this.hints = new HintBoard(seams);
    this.manager = new LocalTransactionManager(this, cells);
  }

  @Override
  public long next(int count) {
    try {
      long first = oracle.next(count);
      requireLease();
      timestamps.add(count);
      return first;
    } catch (TimestampUnavailableException e) {
      if (!e.isLasting()) {
        throw e;
      }
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

  /** Decides on many, see {@link LocalTransactionManager#commitAll}. */
  void commit(List<WriteSet> batch, Verdict[] verdicts) {
    long begin = seams.nanoTime();
    manager.commitAll(batch, verdicts);
    requireLease();
    long took = seams.nanoTime() - begin;
    messages.increment();
    nanos.add(took);
    longest.accumulate(took);
  }

  long fence(long table) {
    long fence = manager.fence(table);
    requireLease();
    return fence;
  }

  long figure(ManagerFigure figure) {
    return switch (figure) {
      case TIMESTAMPS -> timestamps.sum();
      case GRANTED -> manager.decided(Verdict.GRANTED);
      case CONFLICTS -> manager.decided(Verdict.CONFLICT);
      case TOO_OLD -> manager.decided(Verdict.TOO_OLD);
      case FENCED -> manager.decided(Verdict.FENCED);
      case MESSAGES -> messages.sum();
      case DECIDING_NANOS -> nanos.sum();
      case LONGEST_NANOS -> longest.get();
      case CONNECTIONS, TURNED_AWAY -> 0;
    };
  }

  /**
   * Returns whether another process has raised the bound: then this oracle gives out nothing any
   * more.
   */
  boolean isDeposed() {
    return deposed;
  }

  LockTable locks() {
    requireLease();
    return locks;
  }

  HintBoard hints() {
    requireLease();
    return hints;
  }

  /** Frees the locks of a session. */
  void end(Object session) {
    locks.end(session);
  }

  private void requireLease() {
    if (!lease.isTrusted()) {
      throw new NotCoordinatorException();
    }
  }
}
