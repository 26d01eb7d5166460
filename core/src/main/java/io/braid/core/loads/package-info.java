/**
 * Loads that become visible at one commit timestamp, by one record.
 *
 * <p>A load <em>stages</em> its cells as intents in the rows that they belong to, at the load's
 * start timestamp; their decision point is the load's record in Braid's own table. The record goes
 * from LOADING over DRAINING and CLOSING to COMMITTED, or from LOADING or DRAINING to ABORTED, and
 * never back from either end. Invariants:
 *
 * <ol>
 *   <li>The commit timestamp is drawn after CLOSING is durable. So who finds LOADING or DRAINING
 *       passes over the load's cells at every snapshot drawn before it looked; who finds CLOSING
 *       may draw a commit timestamp itself, and the first one proposed holds.
 *   <li>An intent of a load carries the epoch of its table under which it was staged. Writers pass
 *       over it while that is the current epoch. The epoch is raised when DRAINING is durable: from
 *       then on the intent is in their way as any other, and no cell can be staged any more.
 *   <li>Before CLOSING, all other intents that stood in the table when the epoch had been raised
 *       are gone, but for those of loads that are still LOADING, and will commit above this one. So
 *       every commit in the way of a staged cell is below the load's commit timestamp and stands in
 *       the row; commits above it, as of a load whose veil was lifted before the row was settled,
 *       are in nobody's way. What a cell becomes ({@link io.braid.core.loads.SettleRow}) is the
 *       same whoever settles it, and whenever.
 * </ol>
 */
@NullMarked
package io.braid.core.loads;

import org.jspecify.annotations.NullMarked;
