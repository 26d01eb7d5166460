/**
 * Percolator's transactions (section 2): snapshot isolation across rows and tables, without a
 * central manager.
 *
 * <p>{@link io.braid.percolator.PercolatorTransactions} is the entry point. A {@code
 * PercolatorTransaction} buffers its writes. {@code reads} has its snapshot, {@code commit} its
 * commit. Both have the intents that they meet resolved by {@code resolution}. Three duties run in
 * the background. One finishes the secondaries of commits, one keeps the primary locks of long
 * commits fresh, one sweeps up the traces of crashed writers.
 *
 * <p>The steps that run where the rows live are in {@code rows}, the collection of garbage is in
 * {@code garbage}, and {@code context} has the parts that all of these use.
 */
@NullMarked
package io.braid.percolator;

import org.jspecify.annotations.NullMarked;
