/**
 * The growth of throughput and of the cost of an operation with clients, cores and data. A small
 * queueing model predicts both from service times measured with a single client: {@link
 * io.braid.benchmarks.scaling.ClosedNetwork}.
 */
@NullMarked
package io.braid.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
