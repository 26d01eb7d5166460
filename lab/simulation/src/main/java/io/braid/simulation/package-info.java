/**
 * A seeded simulation of the real protocol code: the same classes that serve users run here on a
 * cooperative scheduler, one thread at a time, over a network, a store, clocks and an oracle that
 * misbehave as the seed says. The same seed gives the same run, in any Java.
 *
 * <ul>
 *   <li>{@code schedule}: tasks, simulated time, the trace.
 *   <li>{@code workload}: the work of clients, and the judgement of what they saw.
 *   <li>{@code cluster}: processes that crash and stall, the lock service, the store and the oracle
 *       behind their network.
 *   <li>{@code serving}: nodes of served stores.
 *   <li>{@code probe}: checks of every cell that changes.
 *   <li>{@code scope}: every order of the steps of small cases.
 *   <li>{@code campaign}: many runs, and their results.
 * </ul>
 */
@NullMarked
package io.braid.simulation;

import org.jspecify.annotations.NullMarked;
