package io.braid.testkit.workload;

import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import java.util.function.Supplier;

/**
 * Where clients of a workload get their transactions: from a database in this process, or from a
 * server. Safe for many threads.
 */
public interface Sessions {
  /** Begins a transaction. */
  Transaction begin();

  /** A snapshot of now. */
  Snapshot snapshot();

  /** A session of the fast path, for one thread at a time. */
  FastSession fast();

  /** Returns the meaning of a failure for the transaction that met it. */
  Failure failure(RuntimeException met);

  /** The meaning of a failure. */
  sealed interface Failure {}

  /**
   * The transaction had no effect and never will have; another may be tried.
   *
   * @param now whether at once, or after a pause
   */
  record NoEffect(boolean now) implements Failure {}

  /**
   * The answer to a commit was lost.
   *
   * @param question asks for the outcome; its failures say of themselves whether to ask again
   */
  record Lost(Supplier<TransactionOutcome> question) implements Failure {}

  /** A failure that no database should throw. */
  record Defect() implements Failure {}

  /** Those of a database in this process. */
  static Sessions of(Transactions transactions) {
    return new LocalSessions(transactions);
  }
}
