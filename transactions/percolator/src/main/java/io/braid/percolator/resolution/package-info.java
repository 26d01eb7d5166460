/**
 * Finds out how other transactions ended, and rolls their rows forward or back (Percolator, section
 * 2.2).
 *
 * <p>Begin with {@link io.braid.percolator.resolution.IntentResolver}. It asks the decision point
 * of an intent ({@code DecisionPoints}) and finishes the row ({@code RowFinisher}). {@code
 * IntentSweepDuty} does so for the traces of crashed writers that no transaction meets.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.percolator.resolution;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
