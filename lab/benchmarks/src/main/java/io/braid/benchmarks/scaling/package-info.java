/**
 * How throughput and the cost of an operation grow with clients, cores and data, and a small
 * queueing model that predicts them from service times measured with a single client: {@link
 * io.braid.benchmarks.scaling.ClosedNetwork}.
 */
@NullMarked
package io.braid.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
