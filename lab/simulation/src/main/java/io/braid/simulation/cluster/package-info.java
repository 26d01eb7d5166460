/**
 * The simulated cluster: <em>processes</em> that crash, stall and have wrong clocks; the
 * <em>network</em> that delays, loses and repeats; the store and the oracle as <em>servers</em>
 * behind it; the lock service. What goes wrong is a <em>fault</em>; how often, is drawn from the
 * seed, differently for each run.
 */
@NullMarked
package io.braid.simulation.cluster;

import org.jspecify.annotations.NullMarked;
