package io.braid.core.transaction;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The work of a transaction of {@link Transactions#run Transactions.run}. May be run several times,
 * so it should change nothing outside of the transaction.
 *
 * @param <R> the type of the result, which may be null
 * @param <E> the exceptions that the work throws besides unchecked ones; the transaction is rolled
 *     back then
 */
@FunctionalInterface
@API(status = API.Status.STABLE)
public interface TransactionBody<R extends @Nullable Object, E extends Exception> {
  /**
   * Reads and writes in the transaction. It is committed afterwards, unless this has done so; it
   * must not be used after that.
   */
  R run(Transaction tx) throws E;
}
