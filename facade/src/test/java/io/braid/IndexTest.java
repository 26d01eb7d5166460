package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Index.Kind;
import io.braid.IndexRows.Part;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.groups.Group;
import io.braid.percolator.PercolatorStatistics;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.MemoryStore.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Secondary indexes and changes of the protocol, while clients work (Omid, section 6.1). */
class IndexTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final Column<Long> N = Column.of("f", "n", Codecs.int64());
  private static final String NAME = "people.city";

  private final MemoryStore store = new MemoryStore(MemoryOptions.defaults().reach(Reach.TABLET));
  private final Braid db = Braid.over(store, BraidConfig.defaults());

  @AfterEach
  void close() {
    db.close();
  }

  private static Row row(long i) {
    return Row.of("people", String.format("%05d", i));
  }

  private void put(long i, String city) {
    db.run(
        tx -> {
          tx.set(row(i), CITY, city);
          return i;
        });
  }

  private Index create(Kind kind) {
    return db.indexes().create(NAME, "people", CITY.name(), kind, seen -> {});
  }

  @ParameterizedTest
  @CsvSource({"PERCOLATOR,GLOBAL", "PERCOLATOR,LOCAL", "OMID,GLOBAL", "OMID,LOCAL"})
  void rowsAreFoundByTheValueOfAColumn(Protocol protocol, Kind kind) {
    db.ensureTable("people", protocol, "f");
    store.splitTablet("people", row(2).key());
    store.splitTablet("people", row(4).key());
    put(1, "Ulm");
    put(2, "Bern");
    put(3, "Ulm");
    Snapshot before = db.snapshot();
    assertThat(create(kind).ready()).isTrue();
    put(4, "Ulm");
    put(3, "Wien");
    db.run(
        tx -> {
          tx.delete(row(1), CITY);
          tx.set(row(5), CITY, "Genf");
          tx.checkpoint();
          tx.set(row(5), CITY, "Rom");
          assertThat(rows(tx)).as("no index rows among those of users").hasSize(4);
          assertThat(find(tx, "Genf")).containsExactly(row(5));
          tx.readLevel(ReadLevel.SNAPSHOT);
          assertThat(find(tx, "Rom")).containsExactly(row(5));
          assertThat(find(tx, "Genf")).isEmpty();
          return 0;
        });
    try (Snapshot now = db.snapshot()) {
      assertThat(find(now, "Ulm")).containsExactly(row(4));
      assertThat(find(now, "Genf")).isEmpty();
      assertThat(db.indexes().range(now, "people", CITY, "C", "V", -1))
          .containsExactly(row(5), row(4));
      assertThat(db.indexes().range(now, "people", CITY, null, null, 2))
          .containsExactly(row(2), row(5));
    }
    assertThatThrownBy(() -> find(before, "Ulm")).hasMessageContaining("created after");
    before.close();
    Row own = kind == Kind.LOCAL ? row(1) : Row.of(NAME, "x");
    Column<String> reserved = kind == Kind.LOCAL ? Column.of("~index", "", Codecs.utf8()) : CITY;
    assertThatThrownBy(
            () ->
                db.run(
                    tx -> {
                      tx.set(own, reserved, "y");
                      return 0;
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index");
    db.indexes().drop(NAME);
    assertThat(indexCells()).isZero();
    assertThat(store.table(NAME)).isEmpty();
    put(6, "Ulm");
  }

  private static List<Row> rows(Snapshot reads) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = reads.scan(Scan.of("people").family("f"))) {
      cursor.forEachRemaining(row -> rows.add(row.row()));
    }
    return rows;
  }

  /** What stands in the family of local indexes, of any version. */
  private long indexCells() {
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

  private List<Row> find(Snapshot reads, String city) {
    return db.indexes().find(reads, "people", CITY, city);
  }

  /**
   * Writers of both kinds go on while the index is built; in the end it says what the table says.
   */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR,GLOBAL", "PERCOLATOR,LOCAL", "OMID,GLOBAL", "OMID,LOCAL"})
  void anIndexIsBuiltUnderLoad(Protocol protocol, Kind kind) throws Exception {
    db.ensureTable("people", protocol, "f");
    for (int i = 0; i < 200; i += 2) {
      put(i, "c" + i % 7);
    }
    AtomicLong writes = new AtomicLong();
    Supplier<Exception> load =
        load(
            random -> {
              long i = random.nextInt(200);
              if (random.nextInt(4) == 0) {
                fast(i, "f" + random.nextInt(7));
              } else if (random.nextInt(4) == 0) {
                db.run(
                    tx -> {
                      tx.delete(row(i), CITY);
                      return 0;
                    });
              } else {
                put(i, "c" + random.nextInt(7));
              }
              writes.incrementAndGet();
            });
    while (writes.get() < 20) {
      Thread.yield();
    }
    store.splitTablet("people", row(50).key());
    create(kind);
    store.splitTablet("people", row(100).key());
    long soon = writes.get() + 60;
    while (writes.get() < soon) {
      Thread.yield();
    }
    assertThat(load.get()).isNull();
    requireEqual();
  }

  private void fast(long i, String city) {
    try {
      db.fast().write(row(i), CITY, city);
    } catch (ConflictException e) {
      // A regular transaction was first.
    }
  }

  private void requireEqual() {
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
      for (Part part : db.indexes().rows(asked.name()).parts()) {
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
  private static Supplier<Exception> load(Work work) {
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

  private interface Work {
    void run(Random random) throws Exception;
  }

  /**
   * A row and its index row lie in one tablet, so that a commit is one step there; lookups merge
   * what the tablets know, before and after splits.
   */
  @ParameterizedTest
  @EnumSource
  void aLocalIndexLiesInTheTabletsOfItsRows(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    List<Bytes> starts = List.of(row(10).key(), row(20).key(), row(30).key());
    starts.forEach(start -> store.splitTablet("people", start));
    for (int i = 0; i < 40; i += 3) {
      put(i, "c" + i % 2);
    }
    create(Kind.LOCAL);
    for (int i = 1; i < 40; i += 3) {
      put(i, "c" + i % 2);
    }
    PercolatorStatistics before = db.percolatorStatistics();
    put(35, "elsewhere");
    PercolatorStatistics after = db.percolatorStatistics();
    put(35, "c1");
    assertThat(after.twoPhase() - before.twoPhase()).isZero();
    assertThat(after.onePhase() - before.onePhase())
        .isEqualTo(protocol == Protocol.PERCOLATOR ? 1 : 0);
    for (Part part : db.indexes().rows(NAME).parts()) {
      Bytes from = part.column().name().qualifier();
      List<Row> both = new ArrayList<>();
      try (Snapshot now = db.snapshot();
          RowCursor cursor = now.scan(part.scan(KeyRange.ALL))) {
        while (cursor.hasNext()) {
          RowValues each = cursor.next();
          both.add(each.row());
          both.add(Row.of("people", each.get(part.column()).orElseThrow()));
        }
      }
      assertThat(both).as("the part from " + from).isNotEmpty();
      assertThat(store.together(both)).isTrue();
    }
    store.splitTablet("people", row(5).key());
    store.splitTablet("people", row(25).key());
    put(26, "c0");
    db.run(
        tx -> {
          tx.delete(row(6), CITY);
          return 0;
        });
    try (Snapshot now = db.snapshot()) {
      List<Row> even = find(now, "c0");
      assertThat(even).isSorted().doesNotHaveDuplicates().contains(row(0), row(26), row(36));
      assertThat(even).doesNotContain(row(6)).hasSize(13);
      List<Row> all = db.indexes().range(now, "people", CITY, null, null, -1);
      assertThat(all).hasSize(28).startsWith(even.toArray(Row[]::new));
      assertThat(db.indexes().range(now, "people", CITY, "c0", "c1", 3))
          .isEqualTo(even.subList(0, 3));
    }
    requireEqual();
  }

  /** Rows of an index are in no group: whoever leads one writes them beside its members. */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR,GLOBAL", "PERCOLATOR,LOCAL", "OMID,GLOBAL", "OMID,LOCAL"})
  void aKeyGroupKeepsTheIndexesOfItsMembers(Protocol protocol, Kind kind) {
    db.ensureTable("people", protocol, "f");
    create(kind);
    put(1, "Ulm");
    try (Group group = db.group(List.of(row(1), row(2)))) {
      group.update(
          tx -> {
            tx.set(row(1), CITY, "Bern");
            tx.set(row(2), CITY, "Ulm");
          });
      group.update(tx -> tx.set(row(2), CITY, "Rom"));
    }
    try (Snapshot now = db.snapshot()) {
      assertThat(db.indexes().range(now, "people", CITY, null, null, -1))
          .containsExactly(row(1), row(2));
      assertThat(find(now, "Ulm")).isEmpty();
    }
  }

  /** A removal that broke off goes on; meanwhile nobody is answered from what is left. */
  @Test
  void aRemovalThatBrokeOffGoesOn() {
    db.ensureTable("people", "f");
    put(1, "Ulm");
    create(Kind.LOCAL);
    put(2, "Ulm");
    db.indexes().beginDrop(NAME);
    assertThat(db.indexes().all().get(0).ready()).isFalse();
    assertThatThrownBy(() -> find(db.snapshot(), "Ulm")).hasMessageContaining("has no index");
    assertThatThrownBy(() -> create(Kind.LOCAL)).hasMessageContaining("drop it again");
    put(3, "Ulm");
    assertThat(indexCells()).isEqualTo(2);
    assertThat(db.indexes().drop(NAME)).isTrue();
    assertThat(indexCells()).isZero();
    create(Kind.LOCAL);
    assertThat(find(db.snapshot(), "Ulm")).hasSize(3);
  }

  /** What was populated stays, and the rest follows when it is created again. */
  @Test
  void aCreationThatBrokeOffGoesOn() {
    db.ensureTable("people", Protocol.OMID, "f");
    db.run(
        tx -> {
          for (int i = 0; i < 700; i++) {
            tx.set(row(i), CITY, "c" + i % 5);
          }
          return 0;
        });
    assertThatThrownBy(
            () ->
                db.indexes()
                    .create(
                        NAME,
                        "people",
                        CITY.name(),
                        Kind.GLOBAL,
                        seen -> {
                          throw new IllegalStateException("died");
                        }))
        .hasMessage("died");
    assertThat(db.indexes().all().get(0).ready()).isFalse();
    assertThatThrownBy(() -> find(db.snapshot(), "c1")).hasMessageContaining("being built");
    put(3, "elsewhere");
    AtomicLong seen = new AtomicLong();
    db.indexes().create(NAME, "people", CITY.name(), Kind.GLOBAL, seen::set);
    assertThat(seen.get()).isEqualTo(200);
    requireEqual();
  }

  @ParameterizedTest
  @EnumSource
  void aUniqueIndexRefusesASecondRow(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    put(2, "Ulm");
    assertThatThrownBy(() -> create(Kind.UNIQUE)).isInstanceOf(DuplicateValueException.class);
    assertThat(db.indexes().all()).isEmpty();
    put(2, "Bern");
    create(Kind.UNIQUE);
    assertThatThrownBy(() -> put(3, "Ulm"))
        .isInstanceOf(DuplicateValueException.class)
        .hasMessageContaining("people/00001");
    put(9, "Oslo");
    try (Transaction one = db.begin();
        Transaction other = db.begin()) {
      one.set(row(4), CITY, "Rom");
      other.set(row(5), CITY, "Rom");
      one.commit();
      assertThatThrownBy(other::commit).isInstanceOf(ConflictException.class);
    }
    db.run(
        tx -> {
          tx.delete(row(1), CITY);
          tx.set(row(3), CITY, "Ulm");
          return 0;
        });
    assertThat(find(db.snapshot(), "Ulm")).containsExactly(row(3));
  }

  /** A table changes its protocol again and again under load; no update is lost. */
  @Test
  void aTableChangesItsProtocolWhileClientsWork() throws Exception {
    db.ensureTable("people", Protocol.PERCOLATOR, "f");
    create(Kind.GLOBAL);
    AtomicLong done = new AtomicLong();
    Supplier<Exception> load =
        load(
            random -> {
              long a = random.nextInt(20);
              long b = 20 + random.nextInt(20);
              db.run(
                  tx -> {
                    tx.set(row(a), N, tx.get(row(a), N).orElse(0L) + 1);
                    tx.set(row(b), N, tx.get(row(b), N).orElse(0L) + 1);
                    tx.set(row(a), CITY, "c" + random.nextInt(3));
                    return 0;
                  });
              done.addAndGet(2);
            });
    for (int i = 0; i < 4; i++) {
      long soon = done.get() + 20;
      while (done.get() < soon) {
        Thread.yield();
      }
      Protocol next = i % 2 == 0 ? Protocol.OMID : Protocol.PERCOLATOR;
      db.switchProtocol("people", next);
      assertThat(db.protocol(NAME)).isEqualTo(next);
    }
    assertThat(load.get()).isNull();
    long sum = 0;
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of("people").column(N))) {
      while (rows.hasNext()) {
        sum += rows.next().get(N).orElseThrow();
      }
    }
    assertThat(sum).isEqualTo(done.get());
    requireEqual();
  }

  /** Fault 6: who began before a fence, and writes the table, aborts. */
  @ParameterizedTest
  @EnumSource
  void aFenceAbortsThoseThatBeganBefore(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    try (Transaction old = db.begin()) {
      old.set(row(1), N, 1L);
      long fence = db.fence("people");
      assertThat(fence).isGreaterThan(old.timestamp());
      assertThatThrownBy(old::commit).isInstanceOf(ConflictException.class);
    }
    put(2, "after");
  }

  /** Fault 6: also who wrote nothing in the table before. */
  @ParameterizedTest
  @EnumSource
  void aFenceAbortsThoseThatTouchTheTableOnlyAfterwards(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    try (Transaction old = db.begin()) {
      db.fence("people");
      old.set(row(1), N, 1L);
      assertThatThrownBy(old::commit).isInstanceOf(ConflictException.class);
    }
  }

  /** What a snapshot from before the fence shows, the index does not know. */
  @ParameterizedTest
  @EnumSource
  void anIndexIsNotAskedAboutTheTimeBeforeIt(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    try (Snapshot before = db.snapshot();
        Transaction old = db.begin()) {
      create(Kind.GLOBAL);
      for (Snapshot each : List.of(before, old, db.transactions().snapshotAt(before.timestamp()))) {
        assertThatThrownBy(() -> find(each, "Ulm"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("begins at");
        assertThatThrownBy(() -> db.indexes().range(each, "people", CITY, null, null, -1))
            .hasMessageContaining("begins at");
      }
    }
    assertThat(find(db.snapshot(), "Ulm")).containsExactly(row(1));
  }

  /** Who catches the refusal of a write and commits has not written half of it. */
  @ParameterizedTest
  @EnumSource
  void aValueThatIsTooLongForAnIndexLeavesItAsItWas(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    create(Kind.GLOBAL);
    db.run(
        tx -> {
          assertThatThrownBy(() -> tx.set(row(1), CITY, "x".repeat(5000)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("too long for index");
          tx.set(row(1), N, 1L);
          return 0;
        });
    requireEqual();
    assertThat(find(db.snapshot(), "Ulm")).containsExactly(row(1));
  }

  @ParameterizedTest
  @EnumSource
  void aWriteThatFailsBehindItsIndexRowsIsNotCommitted(Protocol protocol) {
    String city = "x".repeat(700);
    BraidConfig small = BraidConfig.defaults().with(Setting.MAX_TRANSACTION, "1800 B");
    try (Braid own = Braid.over(store, small.with(Setting.MAX_TOTAL, "1800 B"))) {
      own.ensureTable("people", protocol, "f");
      own.indexes().create(NAME, "people", CITY.name(), Kind.GLOBAL, seen -> {});
      Transaction tx = own.begin();
      tx.set(row(2), CITY, "y".repeat(400));
      assertThatThrownBy(() -> tx.set(row(1), CITY, city)).hasMessageContaining("over the limit");
      Transaction other = own.begin();
      assertThat(own.transactions().commitAll(List.of(tx, other)).get(0))
          .isInstanceOf(CommitResult.Failed.class);
      assertThatThrownBy(
              () ->
                  own.run(
                      again -> {
                        again.set(row(2), CITY, "y".repeat(400));
                        assertThatThrownBy(() -> again.set(row(1), CITY, city))
                            .hasMessageContaining("over the limit");
                        return 0;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("begin another");
      assertThat(own.snapshot().get(row(2), CITY)).isEmpty();
      assertThat(own.indexes().range(own.snapshot(), "people", CITY, null, null, -1)).isEmpty();
    }
  }

  /** What stands in a table already and is too long refuses the index, not the table's writers. */
  @ParameterizedTest
  @EnumSource
  void anIndexOfValuesThatAreTooLongIsRefused(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "x".repeat(5000));
    put(2, "x".repeat(5000));
    assertThatThrownBy(() -> create(Kind.GLOBAL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too long for index");
    assertThat(db.indexes().all()).isEmpty();
    put(1, "Ulm");
    put(2, "Ulm");
    create(Kind.GLOBAL);
    requireEqual();
  }

  /** Several threads may write in one transaction: a column and its index rows stay together. */
  @ParameterizedTest
  @EnumSource
  void threadsOfOneTransactionKeepTheIndexInStep(Protocol protocol) throws Exception {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    create(Kind.GLOBAL);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CyclicBarrier together = new CyclicBarrier(2);
    try (Transaction tx = db.begin()) {
      List<Future<?>> ends = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        ends.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 300; i++) {
                    together.await();
                    tx.set(row(1), CITY, name + i);
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      tx.commit();
    } finally {
      threads.shutdownNow();
    }
    requireEqual();
  }

  /** Who has written rows of an index that is dropped then runs again, without it. */
  @ParameterizedTest
  @EnumSource
  void aTransactionOverADroppedIndexRunsAgain(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    create(Kind.GLOBAL);
    int[] runs = new int[1];
    db.run(
        tx -> {
          tx.set(row(1), CITY, "Rom");
          if (runs[0]++ == 0) {
            db.indexes().drop(NAME);
          }
          return 0;
        });
    assertThat(runs[0]).isEqualTo(2);
    assertThat(db.snapshot().get(row(1), CITY)).contains("Rom");
    create(Kind.GLOBAL);
    Transaction one = db.begin();
    one.set(row(1), CITY, "Bern");
    db.indexes().drop(NAME);
    assertThat(db.transactions().commitAll(List.of(one)).get(0))
        .isInstanceOfSatisfying(
            CommitResult.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(ConflictException.class));
  }
}
