/**
 * The first Omid, which the benchmarks compare with Omid LL. Begin with {@link
 * io.braid.benchmarks.legacy.LegacyManager}.
 */
@NullMarked
package io.braid.benchmarks.legacy;

import org.jspecify.annotations.NullMarked;
