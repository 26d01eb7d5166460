package io.braid.percolator;

import io.braid.percolator.context.PercolatorCounters;
import org.apiguardian.api.API;

/**
 * Counts of Percolator's transactions in this process since the database was opened.
 *
 * @param trips calls of the store
 * @param onePhase commits in one phase
 * @param twoPhase commits in two phases
 * @param conflicts commits refused because others were first
 * @param unknown commits whose outcome was reported as unknown
 * @param rolledForward rows of other transactions that were rolled forward
 * @param rolledBack rows of other transactions that were rolled back
 * @param waits pauses of readers for undecided writers
 * @param reads cells that were asked for one by one
 * @param cachedReads those of them that the snapshot had read already, asked for or ahead
 */
@API(status = API.Status.EXPERIMENTAL)
public record PercolatorStatistics(
    long trips,
    long onePhase,
    long twoPhase,
    long conflicts,
    long unknown,
    long rolledForward,
    long rolledBack,
    long waits,
    long reads,
    long cachedReads) {
  static PercolatorStatistics of(PercolatorCounters counters) {
    return new PercolatorStatistics(
        counters.trips.sum(),
        counters.onePhase.sum(),
        counters.twoPhase.sum(),
        counters.conflicts.sum(),
        counters.unknown.sum(),
        counters.rolledForward.sum(),
        counters.rolledBack.sum(),
        counters.waits.sum(),
        counters.reads.sum(),
        counters.cachedReads.sum());
  }
}
