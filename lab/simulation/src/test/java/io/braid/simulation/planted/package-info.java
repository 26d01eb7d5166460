/**
 * Bugs that are planted to see whether they are found. Each is a change to what a store or an
 * oracle does for the transactions above it; the code under test has no switches for them.
 */
@NullMarked
package io.braid.simulation.planted;

import org.jspecify.annotations.NullMarked;
