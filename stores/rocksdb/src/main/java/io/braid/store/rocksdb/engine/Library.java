package io.braid.store.rocksdb.engine;

import io.braid.core.store.StoreException;
import org.rocksdb.RocksDB;

/** Which RocksDB is there: programs that bring their own may have it first on the class path. */
final class Library {
  private static final int OLDEST = 11;

  private Library() {}

  /**
   * @throws StoreException when it is too old
   */
  static void check() {
    RocksDB.loadLibrary();
    RocksDB.Version version = RocksDB.rocksdbVersion();
    check(version.getMajor(), version.toString());
  }

  static void check(int major, String version) {
    if (major < OLDEST) {
      throw new StoreException(
          "RocksDB "
              + version
              + " comes first on the class path, and Braid needs "
              + OLDEST
              + " or newer. Put Braid's jars before those that bring it, in Spark by"
              + " --driver-class-path.");
    }
  }
}
