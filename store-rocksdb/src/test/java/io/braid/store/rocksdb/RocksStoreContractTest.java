package io.braid.store.rocksdb;

import io.braid.core.store.CellStore;
import io.braid.testkit.contract.CellStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The laws on the embedded store, with both reaches of its procedures. */
class RocksStoreContractTest {
  @Nested
  class ReachOfTheStore extends Contract {
    ReachOfTheStore() {
      super(OnePhaseReach.STORE);
    }
  }

  @Nested
  class ReachOfATablet extends Contract {
    ReachOfATablet() {
      super(OnePhaseReach.TABLET);
    }
  }

  abstract static class Contract extends CellStoreContract {
    private final OnePhaseReach reach;
    @TempDir Path directory;

    Contract(OnePhaseReach reach) {
      this.reach = reach;
    }

    @Override
    protected CellStore open() {
      return RocksStore.open(directory.resolve("store"), Fixtures.SMALL.withReach(reach));
    }

    @Override
    protected CellStore reopen(CellStore store) {
      store.close();
      return open();
    }

    @Override
    public boolean reachesAcrossTablets() {
      return reach == OnePhaseReach.STORE;
    }
  }
}
