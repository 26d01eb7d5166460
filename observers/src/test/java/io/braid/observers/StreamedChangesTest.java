package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A transaction that is larger than the memory changes very many observed columns, for long. */
class StreamedChangesTest {
  private static final int ROWS = 3000;
  private static final int CAPACITY = 100;
  private static final Limits SMALL = new Limits(4096, 1 << 20, 50_000, 1 << 30);

  @Test
  void itsIntentsFillNoQueueAndHoldUpNoOtherChange() {
    try (Town town = new Town()) {
      Town.Process process = town.process("p", options -> options.hintQueueCapacity(CAPACITY));
      process.observers.register(
          Observer.of(
              "count", TABLE, A, (tx, row) -> tx.set(row, N, tx.get(row, N).orElse(0L) + 1)));
      try (PercolatorTransactions large =
          new PercolatorTransactions(
              town.memory,
              town.oracle,
              process.seams,
              PercolatorOptions.defaults().limits(SMALL))) {
        large.observedBy(process.observers);
        Transaction tx = large.begin();
        for (int i = 0; i < ROWS; i++) {
          tx.set(row("large-" + i), A, "v");
        }
        process.start();
        process.seams.sleep(Duration.ofMillis(2500));
        assertThat(process.observers.stats().pending()).isLessThanOrEqualTo(2 * CAPACITY);
        for (int i = 0; i < 20; i++) {
          process.set("other-" + i, A, "v");
        }
        long begun = System.nanoTime();
        while (process.number("other-19") == 0) {
          assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Town.LONG);
          process.seams.sleep(Duration.ofMillis(1));
        }
        tx.commit();
      }
      assertThat(process.awaitIdle()).isTrue();
      assertThat(process.number("large-" + (ROWS - 1))).isEqualTo(1);
    }
  }
}
