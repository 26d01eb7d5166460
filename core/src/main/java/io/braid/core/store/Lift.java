package io.braid.core.store;

import io.braid.core.data.Row;
import java.util.List;

/**
 * What became of a call to lift a veil.
 *
 * @param commit the version that its cells are shown at now; 0 when the veil is still down
 * @param blocked some of the rows that are in the way
 */
public record Lift(long commit, List<Row> blocked) {
  /** The tablet clock has to get a fresh timestamp first. */
  public static final Lift EXHAUSTED = new Lift(0, List.of());

  public Lift {
    blocked = List.copyOf(blocked);
  }

  public boolean isLifted() {
    return commit != 0;
  }
}
