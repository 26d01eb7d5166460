package io.braid.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random programs over all features show what the model says. */
class ModelTest {
  private static final long SEEDS = Long.getLong("braid.model.seeds", 5);
  private static final long FIRST = Long.getLong("braid.model.first", 1);
  private static final int STEPS = 100;

  @TempDir Path directory;

  @Test
  void everyProgramShowsWhatTheModelSays() throws Exception {
    Meetings all = new Meetings();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Path own = Files.createDirectory(directory.resolve("run" + seed));
      all.addAll(ModelRun.of(seed, own, STEPS));
    }
    // So that whoever runs many sees what met what.
    Files.writeString(Path.of("target", "meetings.txt"), all.toString());
    int pairs = Feature.values().length * (Feature.values().length - 1);
    assertThat(all.missing()).hasSizeLessThan(pairs / 2);
  }
}
