/**
 * The change feed of a table: its committed changes in the order of their timestamps, from a
 * durable log, with a <em>resolved timestamp</em> up to which nothing is missing. Begin with {@link
 * io.braid.batch.changes.ChangeFeed}, which {@code Braid.changes} opens; {@link
 * io.braid.batch.changes.FeedPump} brings one to a {@link io.braid.batch.changes.FeedSink}.
 *
 * <p>It stands on three facts.
 *
 * <ol>
 *   <li><b>No commit without a mark.</b> Whatever writes the commit record of a user's column
 *       writes a mark beside it, in the same procedure, at the same version ({@link
 *       io.braid.core.cells.CommitRecords#put CommitRecords.put}): one-phase and two-phase commits,
 *       roll-forward, post-commit, the fast path, loads. So a mark is as durable as its commit, and
 *       goes where its row goes when tablets split or move. Collection of garbage leaves what is
 *       marked.
 *   <li><b>Marks become log rows, in any order, any number of times.</b> A <em>round</em> scans the
 *       marks, writes each change to the log under its timestamp, synced, and only then removes the
 *       mark. A round that breaks off, or two at one time, write the same rows again.
 *   <li><b>The resolved timestamp is drawn before the scan.</b> Let it be <em>R</em>. The scan is
 *       made at snapshot R: the store raises its tablet clocks to R and waits for local commits
 *       drawn below, so all one-phase commits at or below R are there, and none comes later. A
 *       transaction that commits at or below R in two phases had written all its intents before R
 *       was drawn; so the scan, which sees each row at one instant, finds the intent or the record
 *       with its mark. Where it finds an undecided intent, R is lowered to its start timestamp: it
 *       commits above. A staged cell of a load does not lower it while the load's record, asked
 *       after R was drawn, is not closing: its commit timestamp is drawn later.
 * </ol>
 *
 * <p>Log rows above the published resolved timestamp are not shown. So a reader sees each change
 * once, in order, and never one that comes too late.
 */
@NullMarked
package io.braid.batch.changes;

import org.jspecify.annotations.NullMarked;
