/**
 * Garbage collection: removes the cells that no snapshot can need any more.
 *
 * <p>A <em>collection</em> has four steps, each done before the next begins:
 *
 * <ol>
 *   <li>{@code LowWatermark}: finds the lowest timestamp that is or may come to be read, and raises
 *       the low watermark of the store to it. It looks at snapshots of this process, those that
 *       other processes publish as {@code PublishedReaders}, pins, and the time that is kept in any
 *       case. From then on every read, prewrite and one-phase commit below it is refused where its
 *       row lives.
 *   <li>{@code Settlement}: rolls forward or back the cells of transactions begun below the
 *       watermark. Undecided transactions are left alone and hold the <em>horizon</em> below them.
 *   <li>{@code TableWalk}: looks for rows with garbage at or below the horizon and has {@code
 *       CollectRow} remove it, at no more than a {@link io.braid.percolator.garbage.Rate}.
 *   <li>The store learns where it can reclaim space.
 * </ol>
 *
 * <p>So an unknown reader never gets a row with missing cells: it gets the error that its snapshot
 * is too old. {@code docs/decisions/011} explains why.
 */
@NullMarked
package io.braid.percolator.garbage;

import org.jspecify.annotations.NullMarked;
