/**
 * The simulated cluster: <em>processes</em> that crash, stall and have wrong clocks; the
 * <em>network</em> that delays, loses and repeats; the store and the oracle as <em>servers</em>
 * behind the network; the lock service. Anything that goes wrong is a <em>fault</em>. The seed
 * decides how often each fault strikes, differently for each run.
 */
@NullMarked
package io.braid.simulation.cluster;

import org.jspecify.annotations.NullMarked;
