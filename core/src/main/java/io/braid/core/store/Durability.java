package io.braid.core.store;

import org.apiguardian.api.API;

/** The progress of a write when it is acknowledged. */
@API(status = API.Status.STABLE)
public enum Durability {
  /** In the log of the store: survives the death of the process, not of the machine. */
  BUFFERED,
  /**
   * Durable no later than the next SYNCED write to the same store. Writes before a commit point use
   * this durability: the commit makes them durable. Stores whose tablets do not share one log treat
   * it as SYNCED.
   */
  ORDERED,
  /** On stable storage: survives the death of the machine. Concurrent writes share a sync. */
  SYNCED;

  /**
   * Returns the durability for a write that counts only with a later one, which has this
   * durability.
   */
  public Durability ofPreceding() {
    return this == SYNCED ? ORDERED : this;
  }
}
