/**
 * The work of the clients of a simulated cluster. Each <em>workload</em> keeps a history of what
 * its clients saw. The history is judged after the run.
 */
@NullMarked
package io.braid.simulation.workload;

import org.jspecify.annotations.NullMarked;
