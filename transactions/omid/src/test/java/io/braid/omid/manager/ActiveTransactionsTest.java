package io.braid.omid.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.time.TimestampOracle;
import io.braid.omid.manager.TransactionManager.BegunTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ActiveTransactionsTest {
  /** Counts. */
  private static final class Counting implements TimestampOracle {
    private final AtomicLong last = new AtomicLong();

    @Override
    public long next(int count) {
      return last.addAndGet(count) - count + 1;
    }

    @Override
    public long lastIssued() {
      return last.get();
    }
  }

  private final ActiveTransactions active = new ActiveTransactions(new Counting());

  @Test
  void tellsTheLowestOfThoseThatAreOpen() {
    List<BegunTransaction> open = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 5_000; i++) {
      // More and more at first, so that the places are too few several times; fewer at the end.
      if (random.nextInt(5_000) > i) {
        open.add(active.begin());
      } else if (!open.isEmpty()) {
        open.remove(random.nextInt(open.size())).close();
      }
      long lowest =
          open.stream().mapToLong(BegunTransaction::timestamp).min().orElse(Long.MAX_VALUE);
      if (i % 50 == 0 && lowest != Long.MAX_VALUE) {
        assertThat(active.lowest()).isEqualTo(lowest);
      }
    }
    open.forEach(BegunTransaction::close);
    long last = active.begin().timestamp();
    assertThat(active.lowest()).isEqualTo(last);
  }

  @Test
  void givesNoPlaceToTwo() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        SplittableRandom random = new SplittableRandom(t);
        tasks.add(() -> beginAndEnd(random));
      }
      for (Future<Void> each : pool.invokeAll(tasks)) {
        each.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** What one thread has open stays as it was, whatever the others begin and end. */
  private Void beginAndEnd(SplittableRandom random) {
    List<BegunTransaction> open = new ArrayList<>();
    List<Long> timestamps = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (open.size() < 200 && random.nextInt(100) < 55) {
        BegunTransaction begun = active.begin();
        open.add(begun);
        timestamps.add(begun.timestamp());
      } else if (!open.isEmpty()) {
        int which = random.nextInt(open.size());
        assertThat(open.get(which).timestamp()).isEqualTo(timestamps.remove(which));
        open.remove(which).close();
      }
    }
    for (int i = 0; i < open.size(); i++) {
      assertThat(open.get(i).timestamp()).isEqualTo(timestamps.get(i));
      open.get(i).close();
    }
    return null;
  }
}
