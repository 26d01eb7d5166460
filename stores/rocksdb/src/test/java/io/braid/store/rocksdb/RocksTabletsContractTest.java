package io.braid.store.rocksdb;

/** The laws of the interface, procedures reaching one tablet. */
class RocksTabletsContractTest extends RocksStoreContractTest {
  @Override
  RocksOptions options() {
    return Fixtures.SMALL.withReach(OnePhaseReach.TABLET);
  }
}
