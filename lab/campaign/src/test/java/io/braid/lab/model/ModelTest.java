package io.braid.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random programs over all features show what the model says. */
class ModelTest {
  private static final long SEEDS = 2;
  private static final long FIRST = 1;
  private static final int STEPS = 100;

  private static final int LONGEST = 300;
  private static final int MOST = 6;

  @TempDir Path directory;

  @Test
  void everyProgramShowsWhatTheModelSaysAndEveryFeatureMeetsEveryOther() throws Exception {
    Meetings all = new Meetings();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      all.addAll(ModelRun.of(seed, folder("some" + seed), STEPS));
    }
    for (long seed = FIRST; !all.missing().isEmpty() && seed < FIRST + MOST; seed++) {
      all.addAll(ModelRun.ofAll(seed, folder("all" + seed), LONGEST));
    }
    assertThat(all.missing()).isEmpty();
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectory(directory.resolve(name));
  }
}
