package io.braid.core.transaction;

import org.jspecify.annotations.Nullable;

/**
 * What a transaction of {@link Transactions#run Transactions.run} does; may be run several times,
 * so it should change nothing outside of the transaction.
 *
 * @param <R> what it gives back; may be null
 * @param <E> what it throws besides unchecked exceptions; the transaction is rolled back then
 */
@FunctionalInterface
public interface TransactionBody<R extends @Nullable Object, E extends Exception> {
  /**
   * Reads and writes in the transaction. It is committed afterwards, unless this has done so; it
   * must not be used after that.
   */
  R run(Transaction tx) throws E;
}
