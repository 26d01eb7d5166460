package io.braid.testkit.workload;

import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.SnapshotTooOldException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionExpiredException;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.core.transaction.Transactions;

/** Transactions of a database in this process. */
record LocalSessions(Transactions transactions) implements Sessions {
  @Override
  public Transaction begin() {
    return transactions.begin();
  }

  @Override
  public Snapshot snapshot() {
    return transactions.snapshot();
  }

  @Override
  public FastSession fast() {
    return transactions.fast(FastOptions.DEFAULT);
  }

  @Override
  public Failure failure(RuntimeException met) {
    if (met instanceof CommitOutcomeUnknownException unknown) {
      return new Lost(() -> transactions.outcome(unknown.id()));
    }
    return hasNoEffect(met) ? new NoEffect(met instanceof ConflictException) : new Defect();
  }

  private static boolean hasNoEffect(RuntimeException met) {
    return met instanceof ConflictException
        || met instanceof BlockedByTransactionException
        || met instanceof SnapshotTooOldException
        || met instanceof TransactionExpiredException
        || met instanceof TransactionInterruptedException
        || met instanceof KeyHeldByGroupException
        || met instanceof TabletUnavailableException
        || met instanceof TimestampUnavailableException;
  }
}
