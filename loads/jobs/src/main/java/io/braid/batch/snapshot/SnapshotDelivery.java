package io.braid.batch.snapshot;

import java.util.List;

/**
 * A snapshot that was closed, on its way to the receivers.
 *
 * @param records in the order in which they came
 */
record SnapshotDelivery(SnapshotName name, List<SnapshotRecord> records) {}
