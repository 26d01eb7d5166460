/**
 * The code that runs in the region servers: one coprocessor, which serves reads and row procedures.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.hbase.region;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
