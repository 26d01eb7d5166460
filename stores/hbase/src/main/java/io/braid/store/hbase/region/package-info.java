/**
 * The code that runs in the region servers. Begin with {@link
 * io.braid.store.hbase.region.RowService}, the one coprocessor, which serves reads and row
 * procedures; {@code RegionCalls} runs the procedures.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.hbase.region;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
