package io.braid.core.loads;

import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;

/**
 * Intents of loads. In the place of a wall time they carry the epoch in which they were staged. In
 * the place of an owner they carry whether observers wait: a load lives as long as its record says.
 */
final class LoadIntents {
  private static final String OBSERVED = "observed";

  private LoadIntents() {}

  static Intent of(LoadRecord record, Intent.Kind kind, Bytes value, boolean observed, long epoch) {
    return new Intent(kind, record, observed ? OBSERVED : "", epoch, value);
  }

  static boolean isObserved(Intent intent) {
    return intent.owner().equals(OBSERVED);
  }

  static Intent under(Intent intent, long epoch) {
    return new Intent(intent.kind(), intent.decision(), intent.owner(), epoch, intent.value());
  }
}
