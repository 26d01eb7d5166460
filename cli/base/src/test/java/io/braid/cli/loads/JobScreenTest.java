package io.braid.cli.loads;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.job.Timing;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of how long a load takes, and what is not. */
class JobScreenTest {
  private static Timing timing(Map<String, Double> predicted) {
    return new Timing("vanilla-sort", 1000, 100_000, predicted, 11.04, "a kind", null, null);
  }

  @Test
  void aPredictionStandsBesideTheOutcome() {
    Timing timing = timing(Map.of("vanilla-sort", 10.2, "standard", 30.0));
    assertThat(JobScreen.line(timing)).isEqualTo("11.0 s by vanilla-sort; 10.2 s were predicted");
    assertThat(JobScreen.choice(timing))
        .isEqualTo("vanilla-sort is chosen; predicted seconds: {standard=30.0, vanilla-sort=10.2}");
  }

  @Test
  void whatIsNotKnownIsNotSaid() {
    assertThat(JobScreen.line(timing(Map.of()))).isEqualTo("11.0 s by vanilla-sort");
    assertThat(JobScreen.line(timing(Map.of("vanilla-sort", 0.04))))
        .isEqualTo("11.0 s by vanilla-sort");
    assertThat(JobScreen.choice(timing(Map.of())))
        .isEqualTo(
            "vanilla-sort is chosen, by the size of the input; how long it takes is not known, as"
                + " no load like it has ended here.");
    assertThat(JobScreen.choice(timing(Map.of("standard", 30.0))))
        .endsWith("has ended here; predicted seconds of others: {standard=30.0}");
  }
}
