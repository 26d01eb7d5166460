/**
 * Serving (Voldemort): read-only stores that a batch job builds, nodes fetch, and swap in and roll
 * back in an instant. Packages, in the order of a version's life:
 *
 * <ul>
 *   <li>{@code ring}: which nodes hold which partitions
 *   <li>{@code chunk}: the files, and the lookup in them
 *   <li>{@code build}: from tuples to files
 *   <li>{@code node}: versions of a store on a node; swap and version rollback
 * </ul>
 */
@NullMarked
package io.braid.serving;

import org.jspecify.annotations.NullMarked;
