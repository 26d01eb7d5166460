/**
 * What {@code Braid.connect} needs for a database in HBase: on the class path it is found by
 * itself. {@link io.braid.connect.hbase.ManagerNode} is a process of its own that does nothing but
 * give out timestamps and find conflicts.
 */
@NullMarked
package io.braid.connect.hbase;

import org.jspecify.annotations.NullMarked;
