/**
 * A fuzzer of everything that listens. A <em>target</em> is a port with the valid requests of a
 * client. A <em>frame</em> is a piece of such a request, changed at random.
 */
@NullMarked
package io.braid.benchmarks.fuzz;

import org.jspecify.annotations.NullMarked;
