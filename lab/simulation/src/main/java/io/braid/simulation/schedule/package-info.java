/**
 * The cooperative scheduler. A <em>task</em> is a real thread of a <em>host</em> (a simulated
 * process), but only one task runs at a time. The task gives control away where it <em>parks</em>,
 * and the seed chooses the next task. Simulated time does not move while any task can run. When
 * none can, it jumps to the next <em>timer</em>.
 */
@NullMarked
package io.braid.simulation.schedule;

import org.jspecify.annotations.NullMarked;
