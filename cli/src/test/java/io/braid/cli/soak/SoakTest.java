package io.braid.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakTest {
  @TempDir Path dir;

  @Test
  void everyLoadIsDoneAndNothingIsWrong() throws Exception {
    BraidConfig config = BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB");
    List<String> lines = new ArrayList<>();
    try (Braid db = Braid.open(dir.resolve("data"), config);
        Soak soak = new Soak(new SystemSeams(), db, dir, 2, 200)) {
      soak.run(Duration.ofSeconds(3), Duration.ofSeconds(1), lines::add);
      assertThat(soak.failures()).isEmpty();
      assertThat(soak.steps())
          .containsOnlyKeys(
              "append-percolator",
              "bank-omid",
              "scan-percolator",
              "groups",
              "observers",
              "jobs",
              "swaps")
          .allSatisfy((load, steps) -> assertThat(steps).as(load).isPositive());
    }
    assertThat(lines).hasSizeGreaterThanOrEqualTo(2).allMatch(line -> line.contains("heap "));
  }

  @Test
  void aLossIsFoundAndEndsTheSoak() throws Exception {
    try (Braid db = Braid.open(dir.resolve("data"));
        GroupGames games = new GroupGames(db)) {
      games.check();
      db.run(
          tx -> {
            tx.delete(
                Row.of("soak-players", "player7"), Column.of("game", "chips", Codecs.int64()));
            return 0;
          });
      assertThatThrownBy(games::check)
          .isInstanceOf(Load.WrongException.class)
          .hasMessageContaining("199000 chips");
    }
  }

  @Test
  void whatGrowsIsTold() {
    Resources flat = new Resources();
    Resources leaking = new Resources();
    for (int i = 0; i < 30; i++) {
      flat.saw("heap", 100 + i % 5);
      leaking.saw("heap", 100 + 10 * i);
      leaking.saw("files", 60);
    }
    assertThat(flat.grown()).isEmpty();
    assertThat(leaking.grown()).containsExactly("heap grew from 250 to 350 MiB.");
  }
}
