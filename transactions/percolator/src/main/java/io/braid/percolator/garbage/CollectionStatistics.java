package io.braid.percolator.garbage;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The state of collection in this process.
 *
 * @param watermark the low watermark of the store
 * @param running the report so far of the collection that runs
 * @param last the report of the previous collection
 * @param total the counts of all collections that ended
 */
@API(status = API.Status.EXPERIMENTAL)
public record CollectionStatistics(
    long watermark,
    Optional<CollectionReport> running,
    Optional<CollectionReport> last,
    CollectionReport.Counts total) {}
