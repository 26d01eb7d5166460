/**
 * {@code braid bench groups}: the experiments of section 6 of the G-Store paper. A <em>bed</em> is
 * the database of the experiments, with the raw store beside it. <em>Clients</em> repeat the life
 * of a group. A <em>design</em> is the way in which clients reach a group (section 5).
 */
@NullMarked
package io.braid.benchmarks.groups;

import org.jspecify.annotations.NullMarked;
