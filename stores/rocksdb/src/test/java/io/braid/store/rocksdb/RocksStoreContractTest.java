package io.braid.store.rocksdb;

import io.braid.core.store.CellStore;
import io.braid.testkit.contract.CellStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The laws of the interface, procedures reaching the whole store. */
class RocksStoreContractTest extends CellStoreContract {
  @TempDir Path directory;

  @Override
  protected CellStore open() {
    return RocksStore.open(directory, options());
  }

  @Override
  protected CellStore reopen(CellStore store) {
    store.close();
    return open();
  }

  @Override
  public boolean reachesAcrossTablets() {
    return options().reach() == OnePhaseReach.STORE;
  }

  RocksOptions options() {
    return Fixtures.SMALL;
  }
}
