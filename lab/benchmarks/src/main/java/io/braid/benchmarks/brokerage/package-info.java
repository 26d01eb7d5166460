/**
 * A brokerage in the manner of TPC-E, as in section 3.3 of the Percolator paper. Customers order
 * trades and look at their holdings. A market executes the trades. {@link
 * io.braid.benchmarks.brokerage.Mix} has the transactions. {@link
 * io.braid.benchmarks.brokerage.Books} is the interface that a system implements for them.
 */
@NullMarked
package io.braid.benchmarks.brokerage;

import org.jspecify.annotations.NullMarked;
