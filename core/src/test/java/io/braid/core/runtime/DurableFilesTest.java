package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
  @TempDir Path directory;

  /** Fault 54: a manifest, a pointer or a topology of any length is not read into memory. */
  @Test
  void aFileThatMustBeSmallIsNotReadWhenItIsNot() throws IOException {
    Path file = Files.write(directory.resolve("f"), new byte[100]);
    assertThat(DurableFiles.read(file, 100)).hasSize(100);
    assertThatThrownBy(() -> DurableFiles.read(file, 99))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has 100 bytes; at most 99 fit");
  }
}
