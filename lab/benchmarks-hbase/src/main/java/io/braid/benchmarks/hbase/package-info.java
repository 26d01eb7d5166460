/** Braid beside raw HBase, from one client and in one run. */
@NullMarked
package io.braid.benchmarks.hbase;

import org.jspecify.annotations.NullMarked;
