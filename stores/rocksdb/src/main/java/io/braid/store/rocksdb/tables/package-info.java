/**
 * The tables of the store while it is open, and their records on disk.
 *
 * <p>Begin with {@link io.braid.store.rocksdb.tables.Catalog}. A {@code Table} consists of
 * families, each a column family of RocksDB; a {@code PresenceFilter} tells from memory that a row
 * has no cell in a sparse family. {@code TabletMap} cuts a table into tablets, {@code
 * TabletSplitter} those that have grown too large, and {@code Reach} tells which rows one procedure
 * reaches.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.rocksdb.tables;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
