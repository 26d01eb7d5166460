/**
 * Omid's low-latency transactions (section 3): snapshot isolation across rows and tables, with one
 * transaction manager that finds conflicts, and commits that their clients write themselves.
 *
 * <p>{@link io.braid.omid.OmidTransactions} begins. An {@code OmidTransaction} buffers its writes;
 * {@code CommitSteps} makes them tentative cells, asks the manager ({@code io.braid.omid.manager})
 * for a commit timestamp and puts it into the transaction's entry of the commit table ({@code
 * CommitTable}). A {@code SnapshotReader} reads; where tentative cells stand, {@code EntryResolver}
 * looks them up. {@code PostCommitDuty} makes the cells of a committed transaction records and
 * removes its entry, off the critical path; {@code SweepDuty} cleans up after clients that died.
 *
 * <p>Where one procedure reaches all rows, {@code OnePhase} does without all that.
 *
 * <p>What runs where the rows live is in {@code io.braid.omid.rows}.
 */
@NullMarked
package io.braid.omid;

import org.jspecify.annotations.NullMarked;
