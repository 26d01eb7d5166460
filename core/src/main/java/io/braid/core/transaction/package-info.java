/**
 * The transaction API, the same over every protocol and on a server: {@link
 * io.braid.core.transaction.Transactions} begins (or {@code Braid.run} and {@code Braid.snapshot},
 * which are its short forms), {@link io.braid.core.transaction.Snapshot} reads, {@link
 * io.braid.core.transaction.Transaction} reads and writes, {@link io.braid.core.transaction.Scan}
 * names many rows. {@link io.braid.core.transaction.FastSession} is for single operations on single
 * rows.
 *
 * <p>A failure is a {@link io.braid.core.transaction.TransactionException}, with one remedy for
 * each kind, or a {@link io.braid.core.store.StoreException} of the store beneath. All are
 * unchecked. One kind leaves it open whether something was written: {@link
 * io.braid.core.transaction.CommitOutcomeUnknownException}.
 */
@NullMarked
package io.braid.core.transaction;

import org.jspecify.annotations.NullMarked;
