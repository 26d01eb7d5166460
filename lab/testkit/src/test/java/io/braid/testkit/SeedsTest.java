package io.braid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SeedsTest {
  private @Nullable String seedBefore;
  private @Nullable String seedsBefore;

  @BeforeEach
  void clear() {
    seedBefore = System.clearProperty(Seeds.SEED);
    seedsBefore = System.clearProperty(Seeds.SEEDS);
  }

  @AfterEach
  void restore() {
    set(Seeds.SEED, seedBefore);
    set(Seeds.SEEDS, seedsBefore);
  }

  @Test
  void everySeedRunsOnce() {
    assertThat(seeds(4)).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void sameSeedGivesTheSameNumbers() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();

    Seeds.check(3, random -> first.add(random.nextLong()));
    Seeds.check(3, random -> second.add(random.nextLong()));

    assertThat(first).doesNotHaveDuplicates().isEqualTo(second);
  }

  @Test
  void failureNamesTheSeedAndTheReplay() {
    assertThatThrownBy(
            () ->
                Seeds.each(
                    9,
                    seed -> {
                      if (seed == 5) {
                        throw new IllegalStateException("five");
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Seed 5 fails: java.lang.IllegalStateException: five")
        .hasMessageContaining("SeedsTest#")
        .hasMessageContaining("-Dbraid.seed=5")
        .hasRootCauseMessage("five");
  }

  @Test
  void propertyReplaysOneSeed() {
    System.setProperty(Seeds.SEED, "77");

    assertThat(seeds(4)).containsExactly(77L);
  }

  @Test
  void propertySearchesOtherSeeds() {
    System.setProperty(Seeds.SEEDS, "1000+3");

    assertThat(seeds(1)).containsExactly(1000L, 1001L, 1002L);
  }

  @Test
  void malformedSearchIsRefused() {
    System.setProperty(Seeds.SEEDS, "1000");

    assertThatThrownBy(() -> seeds(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("FIRST+COUNT");
  }

  private static List<Long> seeds(int count) {
    List<Long> ran = new ArrayList<>();
    Seeds.each(count, ran::add);
    return ran;
  }

  private static void set(String property, @Nullable String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }
}
