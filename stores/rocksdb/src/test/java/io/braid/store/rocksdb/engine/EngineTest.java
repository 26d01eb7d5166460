package io.braid.store.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.rocksdb.RocksOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BackgroundErrorReason;

class EngineTest {
  @TempDir Path directory;

  /** Fault 60: RocksDB has reasons that its Java side cannot name, and would throw for. */
  @Test
  void everyReasonOfAnErrorInTheBackgroundHasAName() throws Exception {
    try (Engine engine = Engine.open(directory, RocksOptions.LEAST_MEMORY, false)) {
      assertThat(engine.logBytes()).isNotNegative();
      Method named = BackgroundErrorReason.class.getDeclaredMethod("fromValue", byte.class);
      named.setAccessible(true);
      for (byte reason = 0; reason < 16; reason++) {
        BackgroundErrorReason expected =
            reason < BackgroundErrorReason.values().length
                ? BackgroundErrorReason.values()[reason]
                : BackgroundErrorReason.FLUSH;
        assertThat(named.invoke(null, reason)).isEqualTo(expected);
      }
    }
  }

  @Test
  void tablesThatComeAndGoLeaveNothingBehind() throws IOException {
    List<FamilySchema> families =
        List.of(new FamilySchema("f", Kind.DATA), new FamilySchema("s", Kind.SPARSE));
    try (Engine engine = Engine.open(directory, RocksOptions.LEAST_MEMORY, false)) {
      int before = engine.tuning.held();
      for (int table = 1; table <= 3; table++) {
        assertThat(engine.families(table, families, true)).hasSize(2);
        engine.dropColumnFamilies(table);
      }
      assertThat(engine.tuning.held()).isEqualTo(before);
      // A log of RocksDB's own would keep their options in memory, and fill a disk with them.
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files.map(each -> each.getFileName().toString()))
            .noneMatch(name -> name.startsWith("LOG"));
      }
    }
  }
}
