/**
 * RocksDB itself: the directory that holds it, the checks before it opens, how it is set up, and
 * whether it still accepts writes.
 *
 * <p>Begin with {@link io.braid.store.rocksdb.engine.Engine}, the opened RocksDB. {@link
 * io.braid.store.rocksdb.engine.Keys} tells how a cell becomes a key. Nothing here knows tables.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.rocksdb.engine;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
