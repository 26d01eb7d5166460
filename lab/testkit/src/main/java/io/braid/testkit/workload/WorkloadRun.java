package io.braid.testkit.workload;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Runs a workload with several clients until enough transactions have committed. */
public final class WorkloadRun {
  private static final Duration FOREVER = Duration.ofDays(1);

  /** The longest time without a commit. A killed process that comes back does so earlier. */
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final Workload workload;
  private final Sessions sessions;
  private final Seams seams;
  private final Journal journal;
  private final SplittableRandom random;
  private final AtomicLong wanted = new AtomicLong();
  private final AtomicLong lastCommit = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * @param seed what clients do follows from it, and from what they meet
   */
  public WorkloadRun(
      Workload workload, Transactions transactions, Seams seams, Journal journal, long seed) {
    this(workload, Sessions.of(transactions), seams, journal, seed);
  }

  /** The same, with transactions of any origin. */
  public WorkloadRun(
      Workload workload, Sessions sessions, Seams seams, Journal journal, long seed) {
    this.workload = workload;
    this.sessions = sessions;
    this.seams = seams;
    this.journal = journal;
    this.random = new SplittableRandom(seed);
  }

  /** Writes what has to be there before clients begin. */
  public void prepare() {
    workload.prepare(client());
  }

  /**
   * Returns when as many transactions as are wanted have committed.
   *
   * @throws IllegalStateException when a client met what no database should throw
   * @throws StoreException when nothing has committed for five minutes
   */
  public void run(int clients, long committed) {
    wanted.set(committed);
    lastCommit.set(seams.nanoTime());
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Client client = client();
      tasks.add(seams.start("client-" + i, () -> work(client)));
    }
    tasks.forEach(task -> task.join(FOREVER));
    Throwable met = failure.get();
    if (met instanceof SilenceException silence) {
      throw silence;
    }
    if (met != null) {
      throw new IllegalStateException("A client of the workload failed: " + met, met);
    }
  }

  /** Reads everything. */
  public void audit() {
    workload.audit(client());
  }

  private Client client() {
    return new Client(sessions, seams, random.split(), journal, () -> {});
  }

  private void work(Client client) {
    try {
      while (failure.get() == null && wanted.getAndDecrement() > 0) {
        while (failure.get() == null && !workload.step(client)) {
          requireProgress();
        }
        lastCommit.set(seams.nanoTime());
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private void requireProgress() {
    if (seams.nanoTime() - lastCommit.get() > SILENCE.toNanos()) {
      throw new SilenceException();
    }
  }

  /** The database is gone, or does not answer. */
  private static final class SilenceException extends StoreException {
    SilenceException() {
      super("No transaction has committed for " + SILENCE.toMinutes() + " minutes.");
    }
  }
}
