/**
 * {@code braid bench groups}: the experiments of section 6 of the G-Store paper. A <em>bed</em> is
 * the database that they run on with the raw store beside it; <em>clients</em> repeat a life of a
 * group; a <em>design</em> is how they reach it (section 5).
 */
@NullMarked
package io.braid.benchmarks.groups;

import org.jspecify.annotations.NullMarked;
