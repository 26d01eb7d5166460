package io.braid.percolator;

import static io.braid.percolator.Lab.N;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.Retries;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.testkit.hostile.Hostility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real threads move money between accounts while another adds it all up. Each transfer counts
 * itself: what was reported as committed, and nothing else, must be there in the end.
 */
class BankTest {
  private static final Column<Long> DONE = Column.of("g", "done", Codecs.int64());
  private static final int ACCOUNTS = 24;
  private static final long EACH = 100;
  private static final int CLIENTS = 4;
  private static final int TRANSFERS = 150;

  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** How many transfers of each client are known to have committed. */
  private final AtomicIntegerArray committed = new AtomicIntegerArray(CLIENTS);

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void theSumStaysTheSame(boolean onePhase, boolean hostile) {
    Lab lab = new Lab(onePhase);
    Seams seams = new SystemSeams();
    Hostility store = Hostility.around(lab.base, new Random(1), hostile ? 16 : 1_000_000, 8);
    try (PercolatorTransactions bank =
        new PercolatorTransactions(store, lab.oracle, seams, options(onePhase))) {
      open(bank);
      List<Task> tasks = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int seed = i;
        tasks.add(seams.start("client-" + i, () -> guarded(() -> transfer(bank, seed))));
      }
      tasks.add(seams.start("auditor", () -> guarded(() -> audit(bank))));
      tasks.forEach(task -> assertThat(task.join(Duration.ofMinutes(2))).isTrue());
      store.deliverAll();
      assertThat(failures).isEmpty();
    }
    try (PercolatorTransactions bank =
        new PercolatorTransactions(lab.base, lab.oracle, seams, options(onePhase))) {
      assertThat(sum(bank.snapshot())).isEqualTo(ACCOUNTS * EACH);
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(committed.get(i)).isPositive();
        assertThat(bank.snapshot().get(client(i), DONE)).contains((long) committed.get(i));
      }
    }
  }

  private static Row client(int i) {
    return row((char) ('a' + i) + "-client");
  }

  private static PercolatorOptions options(boolean onePhase) {
    return PercolatorOptions.defaults()
        .onePhase(onePhase)
        .lockTtl(Duration.ofMillis(100))
        .heartbeat(Duration.ofMillis(20))
        .retries(
            new Retries(
                1000, Duration.ofMillis(1), Duration.ofMillis(20), 4, Duration.ofMillis(1)));
  }

  private static void open(PercolatorTransactions bank) {
    while (true) {
      try {
        bank.run(
            tx -> {
              for (int i = 0; i < ACCOUNTS; i++) {
                tx.set(account(i), N, EACH);
              }
              return 0;
            });
        return;
      } catch (CommitOutcomeUnknownException | StoreException e) {
        // To write the same once more does no harm here.
      }
    }
  }

  private static Row account(int i) {
    return row((char) ('a' + i % 8) + "-" + i / 8);
  }

  private void transfer(PercolatorTransactions bank, int seed) {
    Random random = new Random(seed);
    for (int i = 0; i < TRANSFERS; i++) {
      Row from = account(random.nextInt(ACCOUNTS));
      Row to =
          random.nextBoolean()
              ? account(random.nextInt(ACCOUNTS))
              : row(from.key().slice(0, 1).toUtf8() + "-" + random.nextInt(3));
      try {
        bank.run(
            tx -> {
              if (!from.equals(to)) {
                tx.set(from, N, tx.get(from, N).orElseThrow() - 1);
                tx.set(to, N, tx.get(to, N).orElseThrow() + 1);
              }
              tx.set(client(seed), DONE, tx.get(client(seed), DONE).orElse(0L) + 1);
              return 0;
            });
        committed.incrementAndGet(seed);
      } catch (CommitOutcomeUnknownException e) {
        if (hasCommitted(bank, e)) {
          committed.incrementAndGet(seed);
        }
      } catch (ConflictException | StoreException e) {
        // Not committed, and it will not be.
      }
    }
  }

  private static boolean hasCommitted(
      PercolatorTransactions bank, CommitOutcomeUnknownException e) {
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        TransactionOutcome outcome = bank.outcome(e.id());
        if (!(outcome instanceof TransactionOutcome.Undecided)) {
          return outcome instanceof TransactionOutcome.Committed;
        }
      } catch (StoreException again) {
        // Asked again.
      }
    }
    throw new AssertionError("undecided " + e.id());
  }

  private static void audit(PercolatorTransactions bank) {
    for (int i = 0; i < 60; i++) {
      try (Snapshot snapshot = bank.snapshot()) {
        assertThat(sum(snapshot)).isEqualTo(ACCOUNTS * EACH);
      } catch (StoreException e) {
        // The next round reads again.
      }
    }
  }

  private static long sum(Snapshot snapshot) {
    try (RowCursor cursor = snapshot.scan(Scan.of(Lab.TABLE).column(N))) {
      return cursor.stream().mapToLong(values -> values.get(N).orElseThrow()).sum();
    }
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      failures.add(e);
    }
  }
}
