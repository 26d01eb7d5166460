/**
 * Serving (Voldemort): read-only stores that a batch job builds, nodes fetch, and swap in and roll
 * back in an instant. Packages, in the order of a version's life:
 *
 * <ul>
 *   <li>{@code ring}: which nodes hold which partitions
 *   <li>{@code chunk}: the files, and the lookup in them
 *   <li>{@code build}: from tuples to files
 *   <li>{@code fetch}: from where they were built to a node
 *   <li>{@code node}: versions of a store on a node; swap and version rollback
 *   <li>{@code push}: all of that on several nodes, or on none
 *   <li>{@code net}: a node over HTTP and the Redis protocol
 * </ul>
 */
@NullMarked
package io.braid.serving;

import org.jspecify.annotations.NullMarked;
