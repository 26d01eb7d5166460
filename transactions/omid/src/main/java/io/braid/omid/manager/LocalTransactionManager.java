package io.braid.omid.manager;

import io.braid.core.time.RisingOracle;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction manager in this process, over the oracle that all processes share.
 *
 * <p>Timestamps are drawn outside of the monitor; the map is read and changed inside. This is
 * enough for these reasons:
 *
 * <ul>
 *   <li>Let two transactions write one cell. The second one in the monitor finds the commit
 *       timestamp of the first. If that timestamp lies above the start of the second, they ran at
 *       the same time, and the second is refused. If not, the second began after the first had
 *       drawn that timestamp, when the intents of the first were durable. So the second either saw
 *       the write of the first, or wrote without looking.
 *   <li>A fence first applies to all timestamps, then its timestamp is drawn. A transaction that
 *       passed before drew its commit timestamp earlier, so it is below the fence. A transaction
 *       that comes later is refused, unless it began above the fence.
 * </ul>
 *
 * <p>No state survives a restart: the map begins with a timestamp of its own as low watermark. So
 * transactions that began earlier are refused (scenario 4 of docs/faults.md).
 */
public final class LocalTransactionManager implements TransactionManager {
  /** Cells that the conflict map holds unless told otherwise: 16 MiB of memory. */
  public static final int DEFAULT_CELLS = 1 << 20;

  private final TimestampOracle oracle;
  private final ActiveTransactions active;
  private final int cells;
  private final long began;
  private final Object monitor = new Object();

  // Guarded by the monitor. The map is allocated at the first commit.
  private @Nullable ConflictMap map;
  private final Fences fences = new Fences();
  private final long[] decided = new long[Verdict.values().length];

  /**
   * @param cells how many cells the conflict map holds; 16 bytes each
   */
  public LocalTransactionManager(TimestampOracle oracle, int cells) {
    this.oracle = new RisingOracle(oracle);
    this.active = new ActiveTransactions(this.oracle);
    this.cells = ConflictMap.requireSize(cells);
    this.began = this.oracle.next();
  }

  @Override
  public BegunTransaction begin() {
    return active.begin();
  }

  @Override
  public BegunTransaction enter(long timestamp) {
    return active.enter(timestamp);
  }

  @Override
  public Verdict commit(WriteSet writes) {
    long commit = oracle.next();
    synchronized (monitor) {
      return counted(decide(map(), writes, commit));
    }
  }

  /**
   * As {@link #commit commit} for each, in this order, at the cost of one: the timestamps are drawn
   * at once, and the monitor is entered once.
   *
   * @param verdicts takes the answers
   */
  public void commitAll(List<WriteSet> batch, Verdict[] verdicts) {
    if (batch.isEmpty()) {
      return;
    }
    long commit = oracle.next(batch.size());
    synchronized (monitor) {
      ConflictMap open = map();
      for (int i = 0; i < batch.size(); i++) {
        verdicts[i] = counted(decide(open, batch.get(i), commit + i * Timestamp.STEP));
      }
    }
  }

  private ConflictMap map() {
    ConflictMap open = map;
    if (open == null) {
      open = new ConflictMap(cells, began);
      map = open;
    }
    return open;
  }

  private Verdict counted(Verdict verdict) {
    decided[verdict.ordinal()]++;
    return verdict;
  }

  /** Returns how many requests to commit had this verdict since this manager began. */
  public long decided(Verdict verdict) {
    synchronized (monitor) {
      return decided[verdict.ordinal()];
    }
  }

  private Verdict decide(ConflictMap map, WriteSet writes, long commit) {
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
