/**
 * Histories: the observations of the clients of a database, one JSON line for each transaction, as
 * {@code docs/formats/history.md} specifies it.
 *
 * <p>An <em>entry</em> is one transaction seen from outside: its <em>process</em> (which runs one
 * transaction at a time), the times of its request and its answer, its operations, and its end. The
 * end is {@code ok}, {@code fail} (surely without effect) or {@code info} (unknown). A
 * <em>recorder</em> writes entries while clients run; a <em>reader</em> reads them. Judging them is
 * the task of {@code io.braid.testkit.checker}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.testkit.history;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
