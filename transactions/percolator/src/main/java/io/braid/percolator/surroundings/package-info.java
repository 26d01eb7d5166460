/**
 * The components that every part of the protocol uses: options, counters, and the calls of the
 * store.
 *
 * <p>Begin with {@link io.braid.percolator.surroundings.Surroundings}. {@code BatchedTrips} makes
 * calls of several threads share a trip. {@link io.braid.percolator.surroundings.PercolatorOptions}
 * has what users may choose.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.percolator.surroundings;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
