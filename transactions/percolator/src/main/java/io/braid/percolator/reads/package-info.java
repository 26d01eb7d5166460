/**
 * Reads at a snapshot, and the choice of its timestamp.
 *
 * <p>Begin with {@link io.braid.percolator.reads.Snapshots}, which makes a {@code
 * PercolatorSnapshot}. {@code SnapshotReader} reads for it, and has intents in the way resolved;
 * {@code ItemCache} remembers what was read and reads ahead. {@code ActiveSnapshots} keeps what is
 * read from the collection of garbage.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.percolator.reads;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
