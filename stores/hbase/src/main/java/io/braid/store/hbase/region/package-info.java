/**
 * The code that runs in the region servers: one coprocessor, which serves reads and row procedures.
 */
@NullMarked
package io.braid.store.hbase.region;

import org.jspecify.annotations.NullMarked;
