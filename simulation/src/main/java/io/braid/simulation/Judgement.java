package io.braid.simulation;

import io.braid.testkit.history.HistoryEntry;
import java.util.List;
import java.util.Optional;

/** Has a history judged. */
final class Judgement {
  private Judgement() {}

  /** What is wrong with it; empty when nothing is. */
  static Optional<String> of(List<HistoryEntry> entries) {
    return Optional.empty();
  }
}
