package io.braid.percolator;

import static io.braid.percolator.Lab.N;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real threads move money between accounts while others add it all up. */
class BankTest {
  private static final int ACCOUNTS = 24;
  private static final long EACH = 100;
  private static final int CLIENTS = 4;
  private static final int TRANSFERS = 150;

  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unknown = new AtomicInteger();

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void theSumStaysTheSame(boolean onePhase, boolean hostile) {
    Lab lab = new Lab(onePhase);
    Seams seams = new SystemSeams();
    PercolatorOptions options =
        PercolatorOptions.defaults()
            .onePhase(onePhase)
            .lockTtl(Duration.ofMillis(100))
            .heartbeat(Duration.ofMillis(20))
            .retries(
                new PercolatorOptions.Retries(
                    10_000, Duration.ofMillis(1), Duration.ofMillis(20), 6, Duration.ofMillis(1)));
    try (PercolatorTransactions bank =
        new PercolatorTransactions(
            hostile ? new Hostile(lab.memory, 7) : lab.memory, lab.oracle, seams, options)) {
      open(bank);
      List<Task> tasks = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int seed = i;
        tasks.add(seams.start("client-" + i, () -> guarded(() -> transfer(bank, seed))));
      }
      tasks.add(seams.start("auditor", () -> guarded(() -> audit(bank))));
      tasks.forEach(task -> assertThat(task.join(Duration.ofMinutes(2))).isTrue());
      assertThat(failures).isEmpty();
      assertThat(sum(bank.snapshot())).isEqualTo(ACCOUNTS * EACH);
      assertThat(unknown.get() > 0).isEqualTo(hostile);
    }
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
              return 0;
            });
      } catch (CommitOutcomeUnknownException e) {
        unknown.incrementAndGet();
        assertThat(settled(bank, e)).isTrue();
      } catch (ConflictException | StoreException e) {
        // Not committed, and it will not be.
      }
    }
  }

  private static boolean settled(PercolatorTransactions bank, CommitOutcomeUnknownException e) {
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        TransactionOutcome outcome = bank.outcome(e.id());
        return outcome instanceof TransactionOutcome.Committed
            || outcome instanceof TransactionOutcome.RolledBack;
      } catch (StoreException again) {
        // Asked again.
      }
    }
    return false;
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
