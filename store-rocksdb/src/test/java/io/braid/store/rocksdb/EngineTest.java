package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
  @TempDir Path directory;

  @Test
  void tablesThatComeAndGoLeaveNothingBehind() {
    List<FamilySchema> families =
        List.of(new FamilySchema("f", Kind.DATA), new FamilySchema("s", Kind.SPARSE));
    try (Engine engine = Engine.open(directory, RocksOptions.defaults())) {
      int before = engine.tuning.held();
      for (int table = 1; table <= 3; table++) {
        assertThat(engine.families(table, families, true)).hasSize(2);
        engine.dropColumnFamilies(table);
      }
      assertThat(engine.tuning.held()).isEqualTo(before);
    }
  }
}
