/**
 * Garbage collection: what no snapshot can need any more goes.
 *
 * <p>A <em>collection</em> has four steps, each done before the next begins:
 *
 * <ol>
 *   <li>{@code LowWatermark}: finds the lowest timestamp that anybody reads or may come to read
 *       (snapshots of this process, those that other processes publish as {@code PublishedReaders},
 *       pins, and what shall be kept anyway), and raises the low watermark of the store to it. From
 *       then on every read, prewrite and one-phase commit below it is refused where its row lives.
 *   <li>{@code Settlement}: what stands of transactions begun below the watermark is rolled forward
 *       or back. Undecided ones are left alone and hold the <em>horizon</em> below them.
 *   <li>{@code TableWalk}: looks for rows with garbage at or below the horizon and has {@code
 *       CollectRow} remove it, at no more than a {@link io.braid.percolator.garbage.Rate}.
 *   <li>The store is told where space may be had back.
 * </ol>
 *
 * <p>So a reader that nobody knew of is never given a row from which something is missing: it is
 * told that its snapshot is too old. {@code docs/decisions/011} tells why.
 */
@NullMarked
package io.braid.percolator.garbage;

import org.jspecify.annotations.NullMarked;
