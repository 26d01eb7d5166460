/**
 * The work after a page has changed (Percolator, section 2.4): small observers, each of which
 * completes a task and makes work for the next.
 *
 * <pre>
 * content ─ ParsePage ─┬─ digest ─ ClusterPage ─┬┈┈ ElectCanonical
 *                      ├─ links ── InvertLinks ┈┴┈┈ TallyLinks ┈┈ ElectCanonical
 *                      └─ text ─── PostWords
 * </pre>
 *
 * Dotted lines are weak notifications: many pages link to one address or have one content, and
 * triggering the recomputation of their shared cells must not make them conflict. The two observers
 * behind them recompute sums from columns that belong to single pages. They may run twice at the
 * same time, so a run that changes nothing still locks its sum: of two runs with different
 * snapshots one fails and runs again, and the sum never falls behind.
 *
 * <p>The other observers write only cells of their page. Their acknowledgment makes two runs for
 * one page conflict, so that each run may compare with the cells that the previous one has written.
 */
@NullMarked
package io.braid.examples.webindex.observers;

import org.jspecify.annotations.NullMarked;
