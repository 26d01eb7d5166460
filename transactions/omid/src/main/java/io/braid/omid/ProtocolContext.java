package io.braid.omid;

import io.braid.core.loads.LoadDecisions;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.StoreRetries;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.time.TimestampOracle;
import io.braid.omid.manager.TransactionManager;

/** The components that every part of the protocol uses. */
record ProtocolContext(
    CellStore store,
    Trips trips,
    TransactionManager manager,
    TimestampOracle oracle,
    Seams seams,
    OmidOptions options,
    TableCatalog tables,
    OmidCounters counters) {

  /** Returns the decisions about staged cells of loads. */
  LoadDecisions loads() {
    return new LoadDecisions(store, tables, oracle, seams.liveness());
  }

  StoreRetries storeRetries() {
    return options.retries().ofStore(seams);
  }

  /** The pauses between attempts at a call that the store did not execute or answer. */
  Backoff storeBackoff() {
    return storeRetries().backoff();
  }

  int storeAttempts() {
    return options.retries().storeAttempts();
  }

  /** The durability of the commit point. */
  Durability atCommit() {
    return options.durability();
  }

  /** Returns the durability of writes that must be there when the commit, or a later step, is. */
  Durability beforeCommit() {
    return atCommit().ofPreceding();
  }
}
