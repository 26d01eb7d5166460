package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index;
import io.braid.indexes.Index.Kind;
import io.braid.indexes.IndexRows.Part;
import io.braid.indexes.TableIndexes;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.MemoryStore.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** A table of people in a database in memory, whose cities are to be indexed. */
abstract class IndexedPeople {
  static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  static final Column<Long> N = Column.of("f", "n", Codecs.int64());
  static final String NAME = "people.city";

  final MemoryStore store = new MemoryStore(MemoryOptions.defaults().reach(Reach.TABLET));
  final Braid db = Braid.over(store, BraidConfig.defaults());

  @AfterEach
  void close() {
    db.close();
  }

  static Row row(long i) {
    return Row.of("people", String.format("%05d", i));
  }

  void put(long i, String city) {
    db.run(
        tx -> {
          tx.set(row(i), CITY, city);
          return i;
        });
  }

  Index create(Kind kind) {
    return db.indexes().create(NAME, "people", CITY.name(), kind, seen -> {});
  }

  static List<Row> rows(Snapshot reads) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = reads.scan(Scan.of("people").family("f"))) {
      cursor.forEachRemaining(row -> rows.add(row.row()));
    }
    return rows;
  }

  /** What stands in the family of local indexes, of any version. */
  long indexCells() {
    if (store.table("people").filter(t -> t.has("~index")).isEmpty()) {
      return 0;
    }
    long cells = 0;
    try (RowScanner scanner =
        store.scan(ScanRequest.of("people", KeyRange.ALL, Selection.family("~index")))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        cells += row.cells().size();
      }
    }
    return cells;
  }

  List<Row> find(Snapshot reads, String city) {
    return db.indexes().find(reads, "people", CITY, city);
  }

  void fast(long i, String city) {
    try {
      db.fast().write(row(i), CITY, city);
    } catch (ConflictException e) {
      // A regular transaction was first.
    }
  }

  void requireEqual() {
    Set<String> table = new TreeSet<>();
    Set<String> index = new TreeSet<>();
    try (Snapshot now = db.snapshot()) {
      try (RowCursor rows = now.scan(Scan.of("people").column(CITY))) {
        while (rows.hasNext()) {
          RowValues row = rows.next();
          table.add(row.row() + " " + row.get(CITY).orElseThrow());
        }
      }
      Index asked = db.indexes().of("people", CITY.name());
      for (Part part : ((TableIndexes) db.indexes()).rows(asked.name()).parts()) {
        try (RowCursor rows = now.scan(part.scan(KeyRange.ALL))) {
          while (rows.hasNext()) {
            RowValues row = rows.next();
            Row of = Row.of("people", row.get(part.column()).orElseThrow());
            String key = part.order(row.row()).toUtf8();
            index.add(of + " " + key.substring(0, key.indexOf('\0')));
          }
        }
      }
    }
    assertThat(index).isEqualTo(table);
  }

  /** Does something on two threads until it is asked for the failure. */
  static Supplier<Exception> load(Work work) {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    boolean[] stop = new boolean[1];
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Random random = new Random(i);
      all.add(
          threads.submit(
              () -> {
                while (!stop[0]) {
                  work.run(random);
                  Thread.yield();
                }
                return null;
              }));
    }
    return () -> {
      stop[0] = true;
      try {
        for (Future<?> each : all) {
          each.get();
        }
        return null;
      } catch (Exception e) {
        return e;
      } finally {
        threads.shutdownNow();
      }
    };
  }

  interface Work {
    void run(Random random) throws Exception;
  }
}
