/**
 * What the clients of a simulated cluster do. Each <em>workload</em> keeps a history of what its
 * clients saw, which is judged after the run.
 */
@NullMarked
package io.braid.simulation.workload;

import org.jspecify.annotations.NullMarked;
