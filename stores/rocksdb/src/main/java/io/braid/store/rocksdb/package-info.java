/**
 * The embedded store: a {@link io.braid.core.store.CellStore} over RocksDB, in the process of its
 * user. {@link io.braid.store.rocksdb.RocksStore#open RocksStore.open} opens a directory.
 *
 * <p>A <em>family</em> of a table is a column family of RocksDB, so that locality groups stand
 * apart on disk. A <em>key</em> is row, qualifier and inverted version, so that the newest version
 * that a snapshot sees is the first one at or after its place. The <em>gate</em> keeps calls out
 * while the store closes; <em>row locks</em> make procedures atomic; the <em>clock</em> keeps
 * versions drawn here above snapshots served here; the <em>presence filter</em> of a sparse family
 * answers "there is nothing in this row" from memory. {@code docs/formats/rocksdb.md} specifies
 * what is on disk.
 */
@NullMarked
package io.braid.store.rocksdb;

import org.jspecify.annotations.NullMarked;
