/**
 * The components that every part of the protocol uses: options, counters, and the calls of the
 * store.
 *
 * <p>Begin with {@link io.braid.percolator.context.PercolatorContext}. {@code SharedTrips} makes
 * calls of several threads share a trip. {@link io.braid.percolator.context.PercolatorOptions} has
 * what users may choose.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.percolator.context;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
