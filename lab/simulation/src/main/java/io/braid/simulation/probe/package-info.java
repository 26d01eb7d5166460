/**
 * Probes: they watch every cell that changes in the simulated store and know what must never
 * happen, whichever way it came about.
 */
@NullMarked
package io.braid.simulation.probe;

import org.jspecify.annotations.NullMarked;
