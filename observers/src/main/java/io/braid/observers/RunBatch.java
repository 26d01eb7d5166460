package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs whose transactions are committed together, to save trips. They see nothing of each other, so
 * what conflicts may do so within the batch: it runs again at once, alone.
 */
final class RunBatch {
  private final Transactions transactions;
  private final ObserverRun runs;
  private final List<Attempt.Prepared> prepared = new ArrayList<>();
  private final Map<Attempt, RunResult> results = new IdentityHashMap<>();
  private boolean conflicted;

  RunBatch(Transactions transactions, ObserverRun runs) {
    this.transactions = transactions;
    this.runs = runs;
  }

  /** Runs an observer if it has to. */
  Attempt attempt(Watch watch, Row row, ObserverRun.Notified notified) {
    Attempt attempt = runs.attempt(watch, row, notified);
    if (attempt instanceof Attempt.Prepared one) {
      prepared.add(one);
    }
    return attempt;
  }

  /** Commits what was prepared. To be called once. */
  void commit() {
    if (prepared.isEmpty()) {
      return;
    }
    try {
      List<CommitResult> committed = commitAll();
      List<Attempt.Prepared> again = new ArrayList<>(0);
      for (int i = 0; i < prepared.size(); i++) {
        RunResult result = runs.end(prepared.get(i), committed.get(i));
        results.put(prepared.get(i), result);
        if (result instanceof RunResult.Again tryAgain && tryAgain.conflicted()) {
          again.add(prepared.get(i));
        }
      }
      conflicted = !again.isEmpty();
      if (prepared.size() > 1) {
        again.forEach(one -> results.put(one, runs.runAlone(one)));
      }
    } finally {
      prepared.forEach(one -> one.tx().close());
    }
  }

  private List<CommitResult> commitAll() {
    if (prepared.size() == 1) {
      return List.of(CommitResult.of(prepared.get(0).tx()::commit));
    }
    List<Transaction> all = new ArrayList<>(prepared.size());
    prepared.forEach(one -> all.add(one.tx()));
    return transactions.commitAll(all);
  }

  /** Whether others were first with anything that was prepared. */
  boolean hasConflicted() {
    return conflicted;
  }

  /** What became of an attempt; once this is committed. */
  RunResult resultOf(Attempt attempt) {
    return attempt instanceof Attempt.Ended ended
        ? ended.result()
        : Objects.requireNonNull(results.get(attempt), "The batch was not committed.");
  }
}
