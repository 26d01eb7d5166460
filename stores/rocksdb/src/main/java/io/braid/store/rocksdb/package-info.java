/**
 * The embedded store: a {@link io.braid.core.store.CellStore} over RocksDB, in the process of its
 * user. {@link io.braid.store.rocksdb.RocksStore#open RocksStore.open} opens a directory.
 *
 * <p>A call goes from {@code RocksStore} by {@code OpenDatabase}, which lets it in, to a {@code
 * Database}, and there to {@code reads} or {@code writes}. These use {@code concurrency}, {@code
 * tables} and, at the bottom, {@code engine}. Work that takes the whole store is here: files that
 * are taken over ({@code FileTakeover}), and veils ({@code StoreVeils}).
 *
 * <p>A <em>family</em> of a table is a column family of RocksDB, so that locality groups lie apart
 * on disk. A <em>key</em> is row, qualifier and inverted version, so that the newest version that a
 * snapshot sees is the first one at or after its place. {@code docs/formats/rocksdb.md} specifies
 * what is on disk.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.rocksdb;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
