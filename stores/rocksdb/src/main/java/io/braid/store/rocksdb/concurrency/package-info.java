/**
 * The order of calls that run side by side.
 *
 * <p>{@link io.braid.store.rocksdb.concurrency.Gate} keeps calls out while native objects go.
 * {@link io.braid.store.rocksdb.concurrency.RowLocks} makes writers of a row wait for each other,
 * and shows readers that a row changed. {@link io.braid.store.rocksdb.concurrency.StoreClock} draws
 * the versions of commits above all snapshots that are served.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.rocksdb.concurrency;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
