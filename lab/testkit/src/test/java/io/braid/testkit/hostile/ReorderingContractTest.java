package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.MemoryStore.Reach;
import io.braid.testkit.Seeds;
import io.braid.testkit.contract.CellStoreContract;

/** A store that treats batches in any order is still a store. */
class ReorderingContractTest extends CellStoreContract {
  private final MemoryStore memory = new MemoryStore(Reach.TABLET);

  @Override
  protected CellStore open() {
    return new ReorderingStore(memory, Seeds.random(1));
  }

  @Override
  protected CellStore reopen(CellStore store) {
    store.close();
    memory.restart();
    return open();
  }

  @Override
  public boolean reachesAcrossTablets() {
    return false;
  }
}
