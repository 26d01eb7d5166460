/**
 * A fuzzer of everything that listens: a <em>target</em> is a port and what a good client says to
 * it; a <em>frame</em> is a piece of that, changed at random.
 */
@NullMarked
package io.braid.benchmarks.fuzz;

import org.jspecify.annotations.NullMarked;
