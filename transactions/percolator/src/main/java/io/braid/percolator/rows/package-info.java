/**
 * The steps of the protocol that run where the rows live (Percolator, figure 6): one {@link
 * io.braid.core.store.Procedure} each.
 *
 * <p>A transaction's uncommitted cells are <em>intents</em> at its start timestamp; one of its
 * cells is the <em>primary</em>, which decides for all. {@link io.braid.percolator.rows.Prewrite}
 * puts the intents of a row. {@link io.braid.percolator.rows.CommitPrimary} makes the transaction
 * committed. {@link io.braid.percolator.rows.CommitRow} makes the intents of a row commit records;
 * {@link io.braid.percolator.rows.RollbackRow} removes them. {@link
 * io.braid.percolator.rows.ResolvePrimary} answers, and decides if asked to, the outcome of a
 * transaction. {@link io.braid.percolator.rows.OnePhaseCommit} does everything at once when all
 * rows are in reach of one procedure. {@link io.braid.percolator.rows.SnapshotRead} reads.
 *
 * <p>Invariants, each held by the row locks of the primary alone:
 *
 * <ul>
 *   <li>A transaction is committed exactly if its primary cell has a commit record with its start
 *       timestamp, and then at the version of that record.
 *   <li>A rollback mark and such a record never exist together; neither ever becomes the other.
 *   <li>The intent of a secondary becomes a record only after the primary has its record, and is
 *       removed only after the transaction is rolled back.
 *   <li>A decision is the answer to every later call, however often the call is repeated.
 * </ul>
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.percolator.rows;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
