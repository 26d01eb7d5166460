package io.braid.percolator.context;

import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.StoreRetries;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;

/**
 * The components that every part of the protocol uses.
 *
 * @param oracle one that checks that its timestamps rise
 */
public record PercolatorContext(
    CellStore store,
    Trips trips,
    TimestampOracle oracle,
    Seams seams,
    PercolatorOptions options,
    TableCatalog tables,
    PercolatorCounters counters) {

  /** The pauses between attempts at a call that the store did not execute or answer. */
  public StoreRetries storeRetries() {
    return options.retries().ofStore(seams);
  }

  public Backoff storeBackoff() {
    return storeRetries().backoff();
  }

  public int storeAttempts() {
    return options.retries().storeAttempts();
  }
}
