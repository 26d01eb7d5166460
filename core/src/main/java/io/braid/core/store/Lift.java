package io.braid.core.store;

import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The result of a call to lift a veil.
 *
 * @param commit the version that its cells are shown at now; 0 when the veil is still down
 * @param blocked some of the rows that are in the way
 * @param stale whether the table has another epoch than the caller knew
 */
@API(status = API.Status.EXPERIMENTAL)
public record Lift(long commit, List<Row> blocked, boolean stale) {
  /** The tablet clock has to get a fresh timestamp first. */
  public static final Lift EXHAUSTED = new Lift(0, List.of(), false);

  /** The table has another epoch: the caller has to look first at what was installed in it. */
  public static final Lift STALE = new Lift(0, List.of(), true);

  public Lift {
    blocked = List.copyOf(blocked);
  }

  public static Lift at(long commit) {
    return new Lift(commit, List.of(), false);
  }

  public static Lift blockedBy(List<Row> rows) {
    return new Lift(0, rows, false);
  }

  public boolean isLifted() {
    return commit != 0;
  }
}
