package io.braid.testkit;

import io.braid.core.store.CellStore;
import io.braid.testkit.contract.CellStoreContract;

/** The laws on a store that sends procedures through their codecs. */
class CodecCheckingContractTest extends CellStoreContract {
  private final MemoryStore memory = new MemoryStore();

  @Override
  protected CellStore open() {
    return new CodecCheckingStore(memory);
  }

  @Override
  protected CellStore reopen(CellStore store) {
    store.close();
    memory.restart();
    return open();
  }

  @Override
  public boolean reachesAcrossTablets() {
    return true;
  }
}
