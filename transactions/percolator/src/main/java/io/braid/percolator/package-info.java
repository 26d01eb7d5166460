/**
 * Percolator's transactions (section 2): snapshot isolation across rows and tables, without a
 * central manager.
 *
 * <p>{@link io.braid.percolator.PercolatorTransactions} is the entry point. A {@code
 * PercolatorTransaction} buffers its writes; {@code Committer} commits them, in one phase ({@code
 * OnePhase}) or in two ({@code TwoPhase}). {@code Snapshots} chooses the timestamps of reads, and a
 * {@code SnapshotReader} reads. If an intent is in its way, {@code IntentResolver} asks the
 * decision point ({@code DecisionPoints}) and rolls the row forward or back. Three duties run in
 * the background. One finishes the secondaries of commits, one keeps the primary locks of long
 * commits fresh, one sweeps up the traces of crashed writers.
 *
 * <p>The steps that run where the rows live are in {@code io.braid.percolator.rows}.
 */
@NullMarked
package io.braid.percolator;

import org.jspecify.annotations.NullMarked;
