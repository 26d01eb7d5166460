package io.braid.core.transaction;

import org.jspecify.annotations.Nullable;

/** What a transaction does; may be run several times, so it should change nothing outside. */
@FunctionalInterface
public interface TransactionBody<R extends @Nullable Object, E extends Exception> {
  R run(Transaction tx) throws E;
}
