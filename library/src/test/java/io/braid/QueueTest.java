package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.transaction.Protocol;
import io.braid.groups.Group;
import io.braid.indexes.Index;
import io.braid.observers.Observer;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table used as a queue: rows are put, seen by an observer that deletes them, and put again. */
class QueueTest {
  private static final Column<String> JOB = Column.of("f", "job", Codecs.utf8());
  private static final Column<Long> DONE = Column.of("f", "done", Codecs.int64());
  private static final int ROWS = 20;

  private static Braid queue(Protocol protocol, boolean onePhase) {
    BraidConfig config =
        BraidConfig.defaults().with(Setting.ONE_PHASE.key(), onePhase ? "store" : "off");
    Braid db = Braid.over(new MemoryStore(), config);
    db.ensureTable("jobs", protocol, "f");
    db.ensureTable("totals", protocol, "f");
    return db;
  }

  private static void put(Braid db, int row, String job) {
    db.run(
        tx -> {
          tx.set(job(row), JOB, job);
          return 0;
        });
  }

  private static Row job(int number) {
    return Row.of("jobs", "job" + number);
  }

  private static Observer consumer(AtomicInteger runs) {
    return Observer.of(
            "consume",
            "jobs",
            JOB,
            (tx, row) -> {
              runs.incrementAndGet();
              assertThat(tx.get(row, JOB)).isPresent();
              tx.delete(row, JOB);
            })
        .ignoringDeletes()
        .ignoringOwnWrites();
  }

  private static void idle(Braid db) {
    assertThat(db.awaitObserversIdle(Duration.ofSeconds(60))).isTrue();
  }

  /** Fault 34: an observer that consumes its trigger runs once for each job, and again for more. */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR, true", "PERCOLATOR, false", "OMID, true", "OMID, false"})
  void aConsumerRunsOnceForEachJob(Protocol protocol, boolean onePhase) {
    AtomicInteger runs = new AtomicInteger();
    try (Braid db = queue(protocol, onePhase)) {
      db.observe(consumer(runs));
      db.startWorkers();
      for (int round = 1; round <= 3; round++) {
        for (int row = 0; row < ROWS; row++) {
          put(db, row, "job " + round);
        }
        idle(db);
        assertThat(db.observerStats().runs()).isEqualTo((long) round * ROWS);
      }
      assertThat(db.observerStats().failures()).isZero();
    }
  }

  /** What the observer writes does not trigger it; what others write afterwards does. */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR, true", "PERCOLATOR, false", "OMID, true", "OMID, false"})
  void ownWritesAreIgnoredAndThoseOfOthersAreNot(Protocol protocol, boolean onePhase) {
    try (Braid db = queue(protocol, onePhase)) {
      db.observe(
          Observer.of(
                  "trim",
                  "jobs",
                  JOB,
                  (tx, row) -> {
                    tx.set(row, JOB, tx.get(row, JOB).orElse("deleted").strip());
                    tx.set(row, DONE, tx.get(row, DONE).orElse(0L) + 1);
                  })
              .ignoringOwnWrites());
      db.startWorkers();
      put(db, 1, " a ");
      idle(db);
      assertThat(read(db, JOB)).isEqualTo("a");
      put(db, 1, " b ");
      idle(db);
      assertThat(read(db, JOB)).isEqualTo("b");
      db.run(
          tx -> {
            tx.delete(job(1), JOB);
            return 0;
          });
      idle(db);
      assertThat(read(db, JOB)).isEqualTo("deleted");
      assertThat(read(db, DONE)).isEqualTo(3L);
    }
  }

  private static Object read(Braid db, Column<?> column) {
    try (var now = db.snapshot()) {
      return now.get(job(1), column).orElseThrow();
    }
  }

  /**
   * Fault 68: rounds of putting, observing, deleting, of groups and pins, leave nothing behind once
   * garbage was collected: in no table, Braid's own included.
   */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR, true", "PERCOLATOR, false", "OMID, true", "OMID, false"})
  void whatWasConsumedLeavesNothing(Protocol protocol, boolean onePhase) {
    try (Braid db = queue(protocol, onePhase)) {
      db.indexes().create("by-job", "jobs", JOB.name(), Index.Kind.GLOBAL, rows -> {});
      db.observe(consumer(new AtomicInteger()));
      db.startWorkers();
      round(db, 0);
      Map<String, Integer> before = cells(db.store());
      for (int round = 1; round < 5; round++) {
        round(db, round);
      }
      // What a commit tidies up after its answer may come after a collection.
      for (int i = 0; i < 50 && hasMore(db.store(), before); i++) {
        db.operations()
            .collector()
            .collect(CollectionRequest.keep(Duration.ZERO), each -> {}, () -> false);
      }
      if (hasMore(db.store(), before)) {
        assertThat(cells(db.store())).isEqualTo(before);
      }
    }
  }

  /** Whether a family has more cells than it had. */
  private static boolean hasMore(CellStore store, Map<String, Integer> before) {
    return cells(store).entrySet().stream()
        .anyMatch(now -> now.getValue() > before.getOrDefault(now.getKey(), 0));
  }

  private static void round(Braid db, int round) {
    for (int row = 0; row < ROWS; row++) {
      put(db, round * ROWS + row, "job " + row);
    }
    idle(db);
    Row outside = Row.of("totals", "total of round " + round);
    try (Group group = db.group(List.of(outside))) {
      group.update(tx -> tx.set(outside, DONE, 1L));
    }
    db.run(
        tx -> {
          tx.delete(outside, DONE);
          return 0;
        });
    for (int pass = 0; pass < 3; pass++) {
      assertThat(
              db.operations()
                  .collector()
                  .collect(CollectionRequest.keep(Duration.ZERO), each -> {}, () -> false))
          .isPresent();
    }
  }

  /** How many cells each family has. A group log is cut by a duty of its own, some time later. */
  private static Map<String, Integer> cells(CellStore store) {
    Map<String, Integer> cells = new TreeMap<>();
    for (TableSchema table : store.tables()) {
      Selection[] all =
          table.families().stream()
              .map(family -> Selection.family(family.name()).newest(1000))
              .toArray(Selection[]::new);
      try (RowScanner rows = store.scan(ScanRequest.of(table.name(), KeyRange.ALL, all))) {
        for (RowCells row = rows.next(); row != null; row = rows.next()) {
          if (row.row().key().startsWith(Bytes.of("group-log/"))) {
            continue;
          }
          row.cells()
              .forEach(
                  cell ->
                      cells.merge(table.name() + "/" + cell.column().family(), 1, Integer::sum));
        }
      }
    }
    return cells;
  }
}
