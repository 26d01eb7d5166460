package io.braid.batch.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptFilesTest {
  @TempDir Path dir;

  /** An engine interrupts attempts that it does not need any more. */
  @Test
  void anAttemptThatIsInterruptedWhileItWritesLeavesNoFile() throws Exception {
    try (Bench bench = new Bench()) {
      AttemptFiles files = new AttemptFiles(bench.context, dir, Bench.TABLE, "attempt", 0);
      files.put(Bytes.of("k1"), Map.of(Bench.column("x").name(), Bytes.of("v")));
      Thread.currentThread().interrupt();
      assertThatThrownBy(files::finish).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
      files.close();
      assertThat(dir).isEmptyDirectory();
    }
  }
}
