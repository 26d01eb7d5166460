/**
 * Benchmarks, one command each. A {@link io.braid.benchmarks.Comparison} runs its cases in turn,
 * round by round, on one machine in one process, so that a figure is a ratio between neighbours in
 * time. {@link io.braid.benchmarks.Report} prints JSON lines, with the targets last.
 */
@NullMarked
package io.braid.benchmarks;

import org.jspecify.annotations.NullMarked;
