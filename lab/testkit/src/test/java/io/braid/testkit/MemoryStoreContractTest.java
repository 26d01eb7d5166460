package io.braid.testkit;

import io.braid.core.store.CellStore;
import io.braid.testkit.MemoryStore.Reach;
import io.braid.testkit.contract.CellStoreContract;

/** The laws on the store in memory, its procedures reaching everything. */
class MemoryStoreContractTest extends CellStoreContract {
  @Override
  protected CellStore open() {
    return new MemoryStore(Reach.STORE);
  }

  @Override
  protected CellStore reopen(CellStore store) {
    store.close();
    ((MemoryStore) store).restart();
    return store;
  }

  @Override
  public boolean reachesAcrossTablets() {
    return true;
  }
}
