/**
 * The cooperative scheduler. A <em>task</em> is a real thread of a <em>host</em> (a simulated
 * process), but only one task runs at a time; it gives control away where it <em>parks</em>, and
 * the seed chooses who is next. Simulated time stands still while anybody can run, and jumps to the
 * next <em>timer</em> when nobody can.
 */
@NullMarked
package io.braid.simulation.schedule;

import org.jspecify.annotations.NullMarked;
