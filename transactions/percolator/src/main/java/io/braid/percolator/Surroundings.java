package io.braid.percolator;

import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.StoreRetries;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;

/**
 * The components that every part of the protocol uses.
 *
 * @param oracle one that checks that its timestamps rise
 */
record Surroundings(
    CellStore store,
    BatchedTrips trips,
    TimestampOracle oracle,
    Seams seams,
    PercolatorOptions options,
    TableCatalog tables,
    Counters counters) {

  /** The pauses between attempts at a call that the store did not execute or answer. */
  StoreRetries storeRetries() {
    return new StoreRetries(
        seams, options.retries().storeAttempts(), options.retries().storePause());
  }

  Backoff storeBackoff() {
    return storeRetries().backoff();
  }

  int storeAttempts() {
    return options.retries().storeAttempts();
  }
}
