/**
 * Runs of procedures and blind writes, and the batches that they make.
 *
 * <p>Begin with {@link io.braid.store.rocksdb.writes.ProcedureCalls}, which locks the rows of a
 * call and runs its items. An item writes to a {@code Batch}; {@code BatchWriter} applies it, and
 * {@code GroupSync} syncs the batches of several threads together.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.store.rocksdb.writes;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
