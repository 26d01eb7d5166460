package io.braid.omid.manager;

import io.braid.core.time.RisingOracle;
import io.braid.core.time.TimestampOracle;

/**
 * The transaction manager in this process, over the oracle that everybody uses.
 *
 * <p>Timestamps are drawn outside of the monitor, the map is asked and changed inside; why this is
 * enough:
 *
 * <ul>
 *   <li>Let two transactions write one cell. Whichever comes into the monitor second finds the
 *       commit timestamp of the first. If that lies above its start, they ran at the same time, and
 *       it is refused. If not, it began after the first had drawn that timestamp, when the intents
 *       of the first were durable: it either saw the first's write, or wrote without looking.
 *   <li>A fence first stands for all timestamps, then its timestamp is drawn. A transaction that
 *       passed before drew its commit timestamp earlier, so it is below the fence; one that comes
 *       later is refused, unless it began above the fence.
 * </ul>
 *
 * <p>Nothing is kept over a restart: the map begins with a timestamp of its own as low watermark,
 * so that whoever began earlier is refused (FAULTS in the table of scenarios: 4).
 */
public final class LocalTransactionManager implements TransactionManager {
  /** Cells that the conflict map holds unless told otherwise: 16 MiB of memory. */
  public static final int DEFAULT_CELLS = 1 << 20;

  private final TimestampOracle oracle;
  private final ActiveTransactions active;
  private final Object monitor = new Object();

  // Guarded by the monitor.
  private final ConflictMap map;
  private final Fences fences = new Fences();

  /**
   * @param cells how many cells the conflict map holds; 16 bytes each
   */
  public LocalTransactionManager(TimestampOracle oracle, int cells) {
    this.oracle = new RisingOracle(oracle);
    this.active = new ActiveTransactions(this.oracle);
    this.map = new ConflictMap(cells, this.oracle.next());
  }

  @Override
  public Begun begin() {
    return active.begin();
  }

  @Override
  public Begun enter(long timestamp) {
    return active.enter(timestamp);
  }

  @Override
  public Verdict commit(WriteSet writes) {
    long commit = oracle.next();
    synchronized (monitor) {
      return decide(writes, commit);
    }
  }

  private Verdict decide(WriteSet writes, long commit) {
    if (writes.start() < map.lowWatermark()) {
      return Verdict.TOO_OLD;
    }
    if (fences.stop(writes)) {
      return Verdict.FENCED;
    }
    Verdict verdict = Verdict.GRANTED;
    for (int i = 0; i < writes.size(); i++) {
      long newest = map.newest(writes.cell(i));
      if (newest > writes.start()) {
        writes.collides(i, newest);
        verdict = Verdict.CONFLICT;
      }
    }
    if (verdict == Verdict.GRANTED) {
      for (int i = 0; i < writes.size(); i++) {
        map.put(writes.cell(i), commit);
      }
      writes.grant(commit);
    }
    return verdict;
  }

  @Override
  public long fence(long table) {
    synchronized (monitor) {
      fences.begin(table);
    }
    long fence = 0;
    try {
      fence = oracle.next();
      return fence;
    } finally {
      synchronized (monitor) {
        fences.end(table, fence);
      }
    }
  }

  @Override
  public long lowWatermark() {
    return active.lowest();
  }
}
