/**
 * Serving (Voldemort): read-only stores that a batch job builds, nodes fetch, and swap in and roll
 * back in an instant; and read-write stores beside them. A program that reads a cluster begins with
 * {@link io.braid.serving.client.StoreClient}, one that builds a version with {@link
 * io.braid.serving.build.StoreBuilder}, one that answers from a directory of its own with {@link
 * io.braid.serving.node.ServedStore}. Packages, in the order of a version's life:
 *
 * <ul>
 *   <li>{@code ring}: which nodes hold which partitions
 *   <li>{@code chunk}: the files, and the lookup in them
 *   <li>{@code build}: from tuples to files
 *   <li>{@code fetch}: from where they were built to a node
 *   <li>{@code node}: versions of a store on a node; swap and version rollback
 *   <li>{@code push}: all of that on several nodes, or on none
 *   <li>{@code net}: a node over HTTP and the Redis protocol
 *   <li>{@code client}: reading from a cluster; {@code transform}: parts of values
 *   <li>{@code rebalance}: moving partitions between nodes
 *   <li>{@code writable}, {@code imports}: read-write stores, and many tuples into one
 *   <li>{@code files}: what all of them do to files
 * </ul>
 */
@API(status = API.Status.EXPERIMENTAL)
@NullMarked
package io.braid.serving;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
