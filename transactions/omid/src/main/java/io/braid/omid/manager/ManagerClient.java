package io.braid.omid.manager;

import io.braid.core.time.RisingOracle;
import io.braid.core.time.TimestampOracle;

/**
 * The client of a transaction manager in another process. Transactions begin here, at timestamps of
 * the oracle that both processes use; only commits and fences are sent.
 *
 * <p>{@link #lowWatermark} knows the transactions of this process alone.
 */
public final class ManagerClient implements TransactionManager {
  private final ActiveTransactions active;
  private final Requests requests;

  /** The requests to the manager. */
  public interface Requests {
    /**
     * As {@link TransactionManager#commit TransactionManager.commit}.
     *
     * @throws io.braid.core.time.TimestampUnavailableException when no answer came; the commit
     *     timestamp that may have been granted is lost, and is never used
     */
    Verdict commit(WriteSet writes);

    /** As {@link TransactionManager#fence TransactionManager.fence}. */
    long fence(long table);
  }

  public ManagerClient(TimestampOracle oracle, Requests requests) {
    this.active = new ActiveTransactions(new RisingOracle(oracle));
    this.requests = requests;
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
    return requests.commit(writes);
  }

  @Override
  public long fence(long table) {
    return requests.fence(table);
  }

  @Override
  public long lowWatermark() {
    return active.lowest();
  }
}
