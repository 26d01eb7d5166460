/**
 * Loads that become visible at one commit timestamp, by one record.
 *
 * <p>A load <em>stages</em> its cells as intents in the rows that they belong to, at the load's
 * start timestamp; their decision point is the load's record in Braid's own table. The record goes
 * from LOADING over DRAINING and CLOSING to COMMITTED, or from LOADING or DRAINING to ABORTED. Only
 * a drain that fails goes back, from DRAINING to LOADING. Invariants:
 *
 * <ol>
 *   <li>The commit timestamp is drawn after CLOSING is durable. So a reader that finds LOADING or
 *       DRAINING passes over the load's cells at every snapshot drawn before it looked. A reader
 *       that finds CLOSING may draw a commit timestamp itself, and the first proposed timestamp is
 *       final.
 *   <li>An intent of a load carries the epoch of its table under which it was staged. Writers pass
 *       over the intent while that epoch is current. The epoch is raised when DRAINING is durable.
 *       From then on the intent blocks writers like any other intent, and no more cells can be
 *       staged.
 *   <li>Before CLOSING, all other intents that were in the table when the epoch had been raised are
 *       gone. The exceptions are those of loads that are still LOADING, and will commit above this
 *       one. So every commit that conflicts with a staged cell is below the load's commit timestamp
 *       and present in the row. Commits above that timestamp do not conflict: for example, those of
 *       a load whose veil was lifted before the row was settled. The result of settling a cell
 *       ({@link io.braid.core.loads.SettleRow}) depends neither on the process that settles it nor
 *       on the time.
 * </ol>
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.core.loads;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
