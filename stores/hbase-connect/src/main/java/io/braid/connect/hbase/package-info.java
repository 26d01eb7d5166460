/**
 * Connects {@code Braid.connect} to a database in HBase. {@code Braid.connect} finds this module by
 * itself when it is on the class path. {@link io.braid.connect.hbase.ManagerNode} is a process of
 * its own that only gives out timestamps and finds conflicts.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.connect.hbase;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
