/**
 * The steps of Omid that run where the rows live (algorithms 3 and 4): one {@link
 * io.braid.core.store.Procedure} each.
 *
 * <p>A transaction's uncommitted cells are <em>tentative</em>: intents at its start timestamp that
 * name its entry in the commit table. {@link io.braid.omid.rows.WriteTentative} puts those of a
 * row. {@link io.braid.omid.rows.DecideEntry}, the only step that decides anything, makes the
 * transaction committed or invalid. {@link io.braid.omid.rows.PostCommit} makes the tentative cells
 * of a row commit records (the paper's commit cells). {@link io.braid.omid.rows.RemoveTentative}
 * removes the tentative cells; {@link io.braid.omid.rows.ForgetEntry} removes the entry. {@link
 * io.braid.omid.rows.ReadRow} reads. {@link io.braid.omid.rows.FastWrite} and {@link
 * io.braid.omid.rows.FastRead} are whole transactions on one row. {@link
 * io.braid.omid.rows.CommitWithoutManager} is the whole commit of a transaction whose rows lie
 * together.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The value of an entry never changes; the entry can only be removed.
 *   <li>The entry of a committed transaction is removed only when no tentative cell of it is left.
 *       Suppose that a reader meets a tentative cell, then finds no entry or an invalid one, and
 *       then looks for the cell again. If the cell is still there, the transaction has not
 *       committed. If the cell is gone, a commit record may say otherwise (section 3.2).
 *   <li>A tentative cell becomes a commit record only if the entry says committed, or said so.
 * </ul>
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.omid.rows;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
