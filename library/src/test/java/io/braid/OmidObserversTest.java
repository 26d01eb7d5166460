package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.observers.Observer;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A chain of observers, one of them weak, over tables of either protocol. Faults 29, 35. */
class OmidObserversTest {
  private static final Column<String> TEXT = Column.of("f", "text", Codecs.utf8());
  private static final Column<Long> LENGTH = Column.of("f", "length", Codecs.int64());
  private static final Column<Long> CHANGED = Column.of("f", "changed", Codecs.int64());
  private static final Column<Long> SUM = Column.of("f", "sum", Codecs.int64());
  private static final Row TOTAL = Row.of("totals", "all");
  private static final int WRITERS = 4;
  private static final int EACH = 50;

  private static void measure(Transaction tx, Row page) {
    tx.set(page, LENGTH, (long) tx.get(page, TEXT).orElse("").length());
    tx.notifyWeakly(TOTAL, CHANGED);
  }

  private static void sum(Transaction tx, Row total) {
    try (var pages = tx.scan(Scan.of("pages").column(LENGTH))) {
      tx.set(total, SUM, pages.stream().mapToLong(page -> page.get(LENGTH).orElse(0L)).sum());
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void everyChangeIsFollowedAndTheWeakObserverSeesThemAll(Protocol protocol) throws Exception {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      db.ensureTable("pages", protocol, "f");
      db.ensureTable("totals", protocol, "f");
      db.observe(Observer.of("measure", "pages", TEXT, OmidObserversTest::measure));
      db.observe(Observer.weak("sum", "totals", CHANGED, OmidObserversTest::sum));
      db.startWorkers();
      writeAll(db);
      assertThat(db.awaitObserversIdle(Duration.ofSeconds(60))).isTrue();
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(TOTAL, SUM)).contains((long) WRITERS * EACH * "text".length());
      }
    }
  }

  private static void writeAll(Braid db) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    List<Future<Void>> written = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      Callable<Void> work =
          () -> {
            for (int i = 0; i < EACH; i++) {
              Row page = Row.of("pages", number + "-" + i);
              db.transactions()
                  .run(
                      tx -> {
                        tx.set(page, TEXT, "text");
                        return 0;
                      });
            }
            return null;
          };
      written.add(writers.submit(work));
    }
    for (Future<Void> each : written) {
      each.get();
    }
    writers.shutdown();
  }
}
