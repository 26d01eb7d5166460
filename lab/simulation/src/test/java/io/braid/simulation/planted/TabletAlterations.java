package io.braid.simulation.planted;

import io.braid.core.data.Bytes;
import io.braid.simulation.cluster.Tampering;
import io.braid.testkit.MemoryStore;

/** Tablets whose clocks forget what was served. */
final class TabletAlterations {
  private TabletAlterations() {}

  /**
   * A merged tablet goes on with the clock of its first half. None moves: no other clock is cold.
   */
  static Tampering mergedClockForgets() {
    return new Tampering() {
      @Override
      public Surroundings tamper(Surroundings honest) {
        return honest;
      }

      @Override
      public void move(MemoryStore store, String table, Bytes key) {}

      @Override
      public void merge(MemoryStore store, String table, Bytes key) {
        store.moveTablet(table, key);
        store.mergeTablet(table, key);
        store.advanceClock(0);
      }
    };
  }
}
