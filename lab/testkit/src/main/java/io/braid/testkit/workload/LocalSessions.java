package io.braid.testkit.workload;

import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
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
    if (met instanceof TransactionException refusal) {
      return met instanceof KeyHeldByGroupException
          || switch (refusal.code()) {
            case CONFLICT, SNAPSHOT_TOO_OLD, TRANSACTION_EXPIRED, UNAVAILABLE -> true;
            default -> false;
          };
    }
    return met instanceof TabletUnavailableException
        || met instanceof TimestampUnavailableException;
  }
}
