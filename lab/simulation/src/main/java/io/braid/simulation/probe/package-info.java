/**
 * Probes watch every cell that changes in the simulated store, and know what must never happen, for
 * any cause.
 */
@NullMarked
package io.braid.simulation.probe;

import org.jspecify.annotations.NullMarked;
