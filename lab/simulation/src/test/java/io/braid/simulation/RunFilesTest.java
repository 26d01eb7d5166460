package io.braid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RunFilesTest {
  @Test
  void folderGoesWithTheRun() throws IOException {
    RunFiles files = new RunFiles();
    Path folder = files.folder();
    assertThat(files.folder()).isEqualTo(folder).isDirectory();
    Files.createDirectories(folder.resolve("deep/down"));
    Files.writeString(folder.resolve("deep/down/file"), "x");

    files.close();

    assertThat(folder).doesNotExist();
  }
}
