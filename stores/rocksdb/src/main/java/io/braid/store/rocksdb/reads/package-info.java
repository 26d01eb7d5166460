/**
 * Reads of rows and scans of tables.
 *
 * <p>Begin with {@link io.braid.store.rocksdb.reads.RowReads} and {@link
 * io.braid.store.rocksdb.reads.TableScan}. Both read by cursors, which calls borrow from a {@code
 * CursorPool}. {@code NewestCells} and {@code VersionBounds} answer from memory which version of a
 * column is the newest; the writer keeps them true.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.rocksdb.reads;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
