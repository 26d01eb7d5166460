package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.observers.ObserverStats;

/** What counts as no hotspot: fewer than one conflict in a hundred runs. */
final class ObserverConflicts {
  private ObserverConflicts() {}

  static void assertFew(ObserverStats stats) {
    assertThat(stats.runs()).isPositive();
    assertThat(stats.conflicts() * 100)
        .as("conflicts times 100, in %d runs", stats.runs())
        .isLessThan(stats.runs());
  }
}
