/**
 * Omid's low-latency transactions (section 3): snapshot isolation across rows and tables. One
 * transaction manager finds conflicts; clients write their commits themselves.
 *
 * <p>{@link io.braid.omid.OmidTransactions} is the entry point. An {@code OmidTransaction} buffers
 * its writes. {@code RegularCommit} makes them tentative cells and asks the manager ({@code
 * io.braid.omid.manager}) for a commit timestamp. It puts this timestamp into the transaction's
 * entry of the commit table ({@code CommitTable}). A {@code RowReader} reads; {@code EntryResolver}
 * looks up the tentative cells in its way. {@code PostCommitDuty} makes the cells of a committed
 * transaction records and removes its entry, off the critical path. {@code TentativeSweepDuty}
 * cleans up after dead clients.
 *
 * <p>If one procedure reaches all rows, {@code OnePhaseOrRegular} commits without these steps. If
 * tentative cells of others are in the way, the regular commit follows.
 *
 * <p>The steps that run where the rows live are in {@code io.braid.omid.rows}.
 */
@NullMarked
package io.braid.omid;

import org.jspecify.annotations.NullMarked;
