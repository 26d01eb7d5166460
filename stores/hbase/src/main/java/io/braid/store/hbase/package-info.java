/**
 * The cell store over HBase, client side: calls are grouped by region and sent to the {@link
 * io.braid.store.hbase.region.RowService} there, which runs the procedures where the rows live.
 *
 * <p>A <em>tablet</em> is a region; a table of Braid is a table in one namespace of HBase, its
 * families are column families, versions are timestamps.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.hbase;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
