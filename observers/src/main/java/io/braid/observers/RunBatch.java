package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import io.braid.core.transaction.Transactions.ReadAhead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs of observers that share their trips. Their transactions are begun together, make their first
 * reads ahead together, and are committed together. In between the observers run one after another.
 * The runs see nothing of each other, so they may conflict within the batch: then a run runs again
 * at once, alone.
 *
 * <p>When the observers have taken long, compared with the trips that they share, the finished runs
 * are committed, and the others are left to another batch. So a run waits for others only as long
 * as sharing is worth.
 */
final class RunBatch {
  private static final long RUNS_NANOS = Duration.ofMillis(1).toNanos();
  private static final int RUNS_TO_TRIPS = 4;

  private final Transactions transactions;
  private final ObserverRun runs;
  private final Seams seams;
  private final long begin;
  private final List<Run> all = new ArrayList<>();
  private boolean conflicted;
  private boolean slow;

  RunBatch(Transactions transactions, ObserverRun runs, Seams seams) {
    this.transactions = transactions;
    this.runs = runs;
    this.seams = seams;
    this.begin = seams.nanoTime();
  }

  /** One observer on one row, if it has to run there. */
  static final class Run {
    private final Watch watch;
    private final Row row;
    private final ObserverRun.NotifiedChanges notified;
    private Attempt.@Nullable Prepared prepared;
    private @Nullable RunResult result;

    private Run(Watch watch, Row row, ObserverRun.NotifiedChanges notified) {
      this.watch = watch;
      this.row = row;
      this.notified = notified;
    }

    /** Returns the result of the run, once the batch has run. */
    RunResult result() {
      return Objects.requireNonNull(result, "The batch has not run.");
    }
  }

  /** Has an observer run if it has to, with all others of the batch. */
  Run add(Watch watch, Row row, ObserverRun.NotifiedChanges notified) {
    Run run = new Run(watch, row, notified);
    all.add(run);
    return run;
  }

  /** Runs all and commits them. To be called once, after the notifications were read. */
  void run() {
    List<Run> open = new ArrayList<>(all.size());
    for (Run run : all) {
      long wait = runs.nanosUntilAllowed(run.watch, run.row);
      if (wait == 0) {
        open.add(run);
      } else {
        run.result = new RunResult.Failed(wait);
      }
    }
    if (open.isEmpty()) {
      return;
    }
    List<Transaction> begun;
    try {
      begun = transactions.beginAll(open.size());
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      open.forEach(run -> run.result = ObserverRun.putOff(run.watch, run.row, e));
      return;
    }
    try {
      run(open, begun);
      commit(open.stream().filter(run -> run.prepared != null).toList());
    } finally {
      begun.forEach(Transaction::close);
    }
  }

  private void run(List<Run> open, List<Transaction> begun) {
    if (open.size() > 1) {
      readAhead(open, begun);
    }
    long ready = seams.nanoTime();
    long most = Math.max(RUNS_NANOS, RUNS_TO_TRIPS * (ready - begin));
    for (int i = 0; i < open.size(); i++) {
      Run run = open.get(i);
      if (run.result != null) {
        continue;
      } else if (slow) {
        run.result = new RunResult.NotReached();
        continue;
      }
      Attempt attempt = runs.attempt(run.watch, run.row, begun.get(i), run.notified);
      if (attempt instanceof Attempt.Prepared prepared) {
        run.prepared = prepared;
      } else if (attempt instanceof Attempt.Ended ended) {
        run.result = ended.result();
      }
      slow = seams.nanoTime() - ready > most;
    }
  }

  /** Reads ahead. Runs that would have to wait, for a live writer or for the store, run later. */
  private void readAhead(List<Run> open, List<Transaction> begun) {
    List<ReadAhead> reads = new ArrayList<>(open.size());
    for (int i = 0; i < open.size(); i++) {
      Run run = open.get(i);
      ReadAhead first = ObserverRun.firstRead(run.watch, run.row, begun.get(i), run.notified);
      if (first != null) {
        reads.add(first);
      }
    }
    for (ReadAhead each : transactions.readAhead(reads)) {
      open.get(begun.indexOf(each.tx())).result = new RunResult.Again(false);
    }
  }

  private void commit(List<Run> prepared) {
    if (prepared.isEmpty()) {
      return;
    }
    List<Attempt.Prepared> attempts =
        prepared.stream().map(run -> Objects.requireNonNull(run.prepared)).toList();
    List<CommitResult> committed = commitAll(attempts);
    List<Run> again = new ArrayList<>(0);
    for (int i = 0; i < attempts.size(); i++) {
      RunResult result = runs.end(attempts.get(i), committed.get(i));
      prepared.get(i).result = result;
      if (result instanceof RunResult.Again tryAgain && tryAgain.conflicted()) {
        again.add(prepared.get(i));
      }
    }
    conflicted = !again.isEmpty();
    if (prepared.size() > 1) {
      again.forEach(run -> run.result = runs.runAlone(Objects.requireNonNull(run.prepared)));
    }
  }

  private List<CommitResult> commitAll(List<Attempt.Prepared> prepared) {
    if (prepared.size() == 1) {
      return List.of(CommitResult.of(prepared.get(0).tx()::commit));
    }
    List<Transaction> together = new ArrayList<>(prepared.size());
    prepared.forEach(one -> together.add(one.tx()));
    return transactions.commitAll(together);
  }

  /** Whether smaller batches would have been better: runs met, or took long. */
  boolean wasTooLarge() {
    return conflicted || slow && all.size() > 1;
  }
}
