/**
 * Tables as a data source of Spark (data source V2). There is a catalog. Reads are at one snapshot,
 * with pruned columns, ranges of keys and limits. Attempts of writes are isolated until the job
 * commits all at once. {@link io.braid.spark.BraidSource} has the options: begin there. {@link
 * io.braid.spark.StoreWrite} builds versions of served stores.
 */
@NullMarked
package io.braid.spark;

import org.jspecify.annotations.NullMarked;
