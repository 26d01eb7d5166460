/**
 * Histories: what the clients of a database saw, one JSON line for each transaction, as {@code
 * docs/formats/history.md} specifies it.
 *
 * <p>An <em>entry</em> is one transaction seen from outside: who ran it (a <em>process</em>, one
 * transaction at a time), when it was asked for and answered, what it did, and how it ended: {@code
 * ok}, {@code fail} (surely without effect) or {@code info} (nobody knows). A <em>recorder</em>
 * writes entries while clients run; a <em>reader</em> brings them back. Judging them is the
 * business of {@code io.braid.testkit.checker}.
 */
@NullMarked
package io.braid.testkit.history;

import org.jspecify.annotations.NullMarked;
