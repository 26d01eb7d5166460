/**
 * Observers: code that runs, in a transaction of its own, after a column changed (Percolator,
 * section 2.4). Begin with {@link io.braid.observers.Observer}, and register it at a {@code Braid};
 * {@link io.braid.observers.ObserverOperations} is for operators.
 *
 * <p>A change of an observed column leaves a <em>notification</em> in its row, written by the very
 * procedure that writes the change. <em>Workers</em> visit rows that have notifications: rows of
 * which this process knows by a <em>hint</em>, and rows that a <em>scanner</em> found. For each
 * observer a visit compares the newest change with the observer's <em>acknowledgment</em>; if the
 * change is newer, the observer runs and its transaction writes the acknowledgment. Once all
 * observers of the column are clean the notification is removed.
 *
 * <p>A <em>strong</em> observer follows a column that is written; at most one of its transactions
 * commits for each change. A <em>weak</em> one follows a column that is only ever notified, without
 * conflicts, and may run more than once.
 */
@NullMarked
package io.braid.observers;

import org.jspecify.annotations.NullMarked;
