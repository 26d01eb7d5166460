package io.braid.store.rocksdb;

/** Which rows one procedure can reach, and so which transactions commit in one phase. */
public enum OnePhaseReach {
  /** All rows of the store, across tables: the store is one process. */
  STORE,
  /** The rows of one tablet, as on a distributed store: exercises the distributed paths. */
  TABLET
}
