/**
 * Percolator's transactions (section 2): snapshot isolation across rows and tables, without a
 * central manager.
 *
 * <p>{@link io.braid.percolator.PercolatorTransactions} begins. A {@code PercolatorTransaction}
 * buffers its writes; {@code Committer} commits them, in one phase ({@code OnePhase}) or in two
 * ({@code TwoPhase}). {@code Snapshots} says at which timestamp is read, and a {@code
 * SnapshotReader} reads; where an intent is in its way, {@code IntentResolver} asks the decision
 * point ({@code DecisionPoints}) and rolls the row forward or back. Three duties run in the
 * background: one finishes the secondaries of commits, one keeps the primary locks of long commits
 * fresh, one sweeps up what crashed writers left.
 *
 * <p>What runs where the rows live is in {@code io.braid.percolator.rows}.
 */
@NullMarked
package io.braid.percolator;

import org.jspecify.annotations.NullMarked;
