package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.context.PercolatorOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Section 2.5: concurrent transactions share trips. A full batch waits no longer. */
class SharedTripsTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Lab lab = new Lab(false);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private PercolatorTransactions sharing(Duration delay, int most) {
    PercolatorOptions.Savings savings = new PercolatorOptions.Savings(0, false, delay, most);
    return new PercolatorTransactions(
        lab.base, lab.oracle, new SystemSeams(), lab.options.savings(savings));
  }

  private <T> List<Future<T>> together(int count, Callable<T> call) {
    List<Future<T>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(threads.submit(call));
    }
    return all;
  }

  @Test
  void concurrentReadsShareATrip() throws Exception {
    try (PercolatorTransactions transactions = sharing(LONG, 8)) {
      List<Future<Optional<String>>> reads = new ArrayList<>();
      Lab.write(lab.process("writer"), "1", "a");
      for (Future<Optional<String>> read : together(8, () -> Lab.read(transactions, "a"))) {
        reads.add(read);
        assertThat(read.get()).contains("1");
      }
      assertThat(reads).hasSize(8);
      assertThat(transactions.statistics().trips()).isEqualTo(1);
    }
  }

  @Test
  void concurrentLocksShareATrip() throws Exception {
    try (PercolatorTransactions transactions = sharing(LONG, 8)) {
      List<Future<Long>> writes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String key = "" + i;
        writes.add(threads.submit(() -> Lab.write(transactions, "1", "a" + key, "b" + key)));
      }
      for (Future<Long> write : writes) {
        assertThat(write.get()).isPositive();
      }
      // One for the locks of all; a commit of the primary and one of the secondary for each.
      assertThat(transactions.statistics().trips()).isEqualTo(1 + 4 * 2);
    }
  }

  @Test
  void loneReadWaitsNoLongerThanTheDelay() {
    try (PercolatorTransactions transactions = sharing(Duration.ofMillis(1), 8)) {
      assertThat(Lab.read(transactions, "a")).isEmpty();
    }
  }

  @Test
  void unknownTableOfOneIsNoTroubleOfTheOther() throws Exception {
    try (PercolatorTransactions transactions = sharing(LONG, 2)) {
      Future<Optional<String>> good = threads.submit(() -> Lab.read(transactions, "a"));
      Future<Optional<String>> bad =
          threads.submit(
              () -> {
                try (Snapshot snapshot = transactions.snapshot()) {
                  return snapshot.get(Row.of("missing", "a"), X);
                }
              });
      assertThat(good.get()).isEmpty();
      assertThatThrownBy(bad::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(UnknownTableException.class);
    }
  }

  /** As a leader or as a follower. */
  @Test
  void whoeverIsInterruptedWaitsNoLonger() throws Exception {
    try (PercolatorTransactions transactions = sharing(LONG, 3)) {
      Future<Optional<String>> first = threads.submit(() -> Lab.read(transactions, "a"));
      Future<?> interrupted =
          threads.submit(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  Lab.read(transactions, "b");
                } catch (TransactionException e) {
                  assertThat(e).hasMessageContaining("was interrupted");
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }
              });
      interrupted.get(LONG.toMillis() / 2, TimeUnit.MILLISECONDS);
      // One of them may be left waiting; the end of the test wakes it.
      together(2, () -> Lab.read(transactions, "c"));
      assertThat(first.get()).isEmpty();
    }
  }
}
