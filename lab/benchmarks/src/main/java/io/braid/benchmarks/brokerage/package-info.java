/**
 * A brokerage in the manner of TPC-E, as in section 3.3 of the Percolator paper: customers order
 * trades and look at what they have, a market executes the trades. {@link
 * io.braid.benchmarks.brokerage.Mix} has the transactions, {@link
 * io.braid.benchmarks.brokerage.Books} is what a system has to do for them.
 */
@NullMarked
package io.braid.benchmarks.brokerage;

import org.jspecify.annotations.NullMarked;
