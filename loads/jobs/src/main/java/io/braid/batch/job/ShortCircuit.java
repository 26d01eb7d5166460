package io.braid.batch.job;

import org.apiguardian.api.API;

/**
 * A task ended because too many of its records failed (section 4.2): an entry of the short-circuit
 * log.
 *
 * @param read how many records it had read
 */
@API(status = API.Status.EXPERIMENTAL)
public record ShortCircuit(int task, String file, long from, long to, long read, String why) {}
