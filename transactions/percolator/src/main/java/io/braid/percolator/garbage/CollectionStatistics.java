package io.braid.percolator.garbage;

import java.util.Optional;

/**
 * How collection stands in this process.
 *
 * @param watermark the low watermark of the store
 * @param running what the collection that runs has done so far
 * @param last what the one before has done
 * @param total what all that ended have done
 */
public record CollectionStatistics(
    long watermark,
    Optional<CollectionReport> running,
    Optional<CollectionReport> last,
    CollectionReport.Counts total) {}
