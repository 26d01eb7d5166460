/**
 * Judges histories from outside: was this strong snapshot isolation?
 *
 * <p>A <em>verdict</em> is valid, or lists <em>anomalies</em>, each with a name of the field
 * (Adya's G0, G1a, ...) and the <em>evidence</em>: the transactions, by their lines in the file,
 * and why they cannot all have happened. {@link io.braid.testkit.checker.HistoryChecker} is where
 * to begin; {@code docs/checking.md} tells what each name means.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.testkit.checker;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
