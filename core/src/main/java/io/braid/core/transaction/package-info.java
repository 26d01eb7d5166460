/**
 * The transaction API, the same over every protocol: {@link io.braid.core.transaction.Transactions}
 * begins, {@link io.braid.core.transaction.Snapshot} reads, {@link
 * io.braid.core.transaction.Transaction} writes.
 */
@NullMarked
package io.braid.core.transaction;

import org.jspecify.annotations.NullMarked;
