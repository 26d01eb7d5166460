/**
 * The change feed of a table: its committed changes in the order of their timestamps, from a
 * durable log, with a <em>resolved timestamp</em> up to which nothing is missing. Begin with {@link
 * io.braid.changes.feed.ChangeFeed}, which {@code Braid.changes} opens; {@link
 * io.braid.changes.feed.FeedPump} brings one to a {@link io.braid.changes.feed.FeedSink}.
 *
 * <p>The feed relies on three facts.
 *
 * <ol>
 *   <li><b>No commit without a mark.</b> All code that writes the commit record of a user's column
 *       writes a mark beside it, in the same procedure, at the same version ({@link
 *       io.braid.core.cells.CommitRecords#put CommitRecords.put}). This includes one-phase and
 *       two-phase commits, roll-forward, post-commit, the fast path, and loads. So a mark is as
 *       durable as its commit, and goes where its row goes when tablets split or move. Garbage
 *       collection keeps marked records.
 *   <li><b>Marks become log rows, in any order, any number of times.</b> A <em>round</em> scans the
 *       marks, writes each change to the log under its timestamp, synced, and only then removes the
 *       mark. After an interrupted round, or in two rounds at one time, the same rows are written
 *       again.
 *   <li><b>The resolved timestamp is drawn before the scan.</b> Let it be <em>R</em>. The scan is
 *       made at snapshot R: the store raises its tablet clocks to R and waits for local commits
 *       drawn below. So all one-phase commits at or below R are there, and none comes later. A
 *       transaction that commits at or below R in two phases had written all its intents before R
 *       was drawn. So the scan, which sees each row at one instant, finds the intent or the record
 *       with its mark. If the scan finds an undecided intent, R is lowered to the start timestamp
 *       of its transaction, which commits above. A staged cell of a load does not lower R while the
 *       load's record, read after R was drawn, is not closing: the commit timestamp of the load is
 *       drawn later.
 * </ol>
 *
 * <p>Log rows above the published resolved timestamp are not shown. So a reader sees each change
 * once, in order, and never one that comes too late.
 */
@NullMarked
package io.braid.changes.feed;

import org.jspecify.annotations.NullMarked;
