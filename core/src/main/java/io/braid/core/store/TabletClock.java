package io.braid.core.store;

import org.apiguardian.api.API;

/**
 * The clock of a tablet server. One-phase commits and fast-path writes draw their versions from it
 * without the oracle (Omid, section 4.3).
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The clock is at or above every version issued or stored in its tablets and every snapshot
 *       served there.
 *   <li>A read raises the clock to its snapshot first. Then it waits until local commits that were
 *       drawn at or below the snapshot are applied, and only then looks at cells. So no version
 *       appears below a snapshot that was served.
 *   <li>The clock never carries into the bits of the oracle ({@link io.braid.core.time.Timestamp}).
 *       When the local bits are used up, it takes a fresh timestamp from the oracle or refuses.
 *   <li>A clock that opens cold serves no local commit before {@link CellStore#advanceClock
 *       CellStore.advanceClock} brought a fresh timestamp: the data does not record the snapshots
 *       that were served.
 * </ul>
 */
@API(status = API.Status.EXPERIMENTAL)
public interface TabletClock {
  /**
   * The answer of {@link #next next} when the clock is cold or out of local bits: no version was
   * drawn.
   */
  long EXHAUSTED = -1;

  /**
   * Draws a version above every snapshot served here and above {@code atLeast}, and below every
   * timestamp that the oracle gives out later; {@link #EXHAUSTED} when that takes a fresh timestamp
   * first. Only in a run that then writes with that version: readers wait until the run is applied.
   *
   * @param atLeast a timestamp that the oracle gave out
   */
  long next(long atLeast);

  /** Makes sure that later draws lie above {@code version}, which is being stored here. */
  void raise(long version);
}
