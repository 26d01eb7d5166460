package io.braid.omid;

import org.apiguardian.api.API;

/**
 * Counts of Omid's transactions in this process, since the first of them could begin.
 *
 * @param trips calls of the store
 * @param commits transactions with writes that committed
 * @param conflicts commits that were refused, or invalidated by a reader
 * @param unknown commits whose outcome could not be found out
 * @param lookups transactions that readers looked up in the commit table
 * @param invalidated transactions that readers here made invalid
 */
@API(status = API.Status.EXPERIMENTAL)
public record OmidStatistics(
    long trips, long commits, long conflicts, long unknown, long lookups, long invalidated) {}
