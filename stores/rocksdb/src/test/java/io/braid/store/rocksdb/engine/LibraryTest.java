package io.braid.store.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.StoreException;
import org.junit.jupiter.api.Test;

/** Another program's RocksDB, as Spark's, is told from a defect. */
class LibraryTest {
  @Test
  void whatIsTooOldIsSaid() {
    Library.check();
    Library.check(12, "12.0.1");
    assertThatThrownBy(() -> Library.check(9, "9.8.4"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("RocksDB 9.8.4 comes first on the class path");
  }
}
