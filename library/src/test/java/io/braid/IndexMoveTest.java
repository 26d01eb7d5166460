package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.WriteUnderEpoch;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.indexes.Index.Kind;
import io.braid.indexes.IndexRows.Part;
import io.braid.indexes.TableIndexes;
import io.braid.percolator.rows.CommitRow;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.MemoryStore.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The parts of a local index follow the tablets of its table. */
@Timeout(120)
class IndexMoveTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final String NAME = "people.city";

  /** How many batches of index rows pass until one is not executed; negative for no end. */
  private final AtomicInteger writesLeft = new AtomicInteger(-1);

  /** Whether index rows of one that is dropped stay where they are. */
  private volatile boolean refusesRemovals;

  /** Nobody rolls forward there what was committed; null for no table. */
  private volatile @Nullable String deafTable;

  /** The index rows that were written without transactions. */
  private final List<WriteUnderEpoch.Request> blind = new CopyOnWriteArrayList<>();

  private final MemoryStore memory = new MemoryStore(MemoryOptions.defaults().reach(Reach.TABLET));

  private final ForwardingStore store =
      new ForwardingStore(memory) {
        @Override
        public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
          if (refusesRemovals && writes.stream().anyMatch(each -> !each.removals().isEmpty())) {
            throw new TabletUnavailableException("Not now.");
          }
          return super.write(writes, durability);
        }

        @Override
        public <A, R> List<Outcome<R>> execute(
            Procedure<A, R> procedure, List<A> arguments, Durability durability) {
          for (A argument : arguments) {
            if (argument instanceof WriteUnderEpoch.Request request) {
              blind.add(request);
            }
            if (procedure == CommitRow.INSTANCE
                && procedure.rows(argument).get(0).table().equals(deafTable)) {
              throw new TabletUnavailableException("Not now.");
            }
          }
          if (procedure == WriteUnderEpoch.INSTANCE
              && writesLeft.get() >= 0
              && writesLeft.getAndDecrement() == 0) {
            throw new TabletUnavailableException("Not now.");
          }
          return super.execute(procedure, arguments, durability);
        }
      };
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

  private List<Row> find(Snapshot reads, String city) {
    return db.indexes().find(reads, "people", CITY, city);
  }

  private void follow() {
    db.indexes().follow(NAME, moved -> {});
  }

  /** A table of 40 rows in two tablets, with a local index of two parts. */
  private void indexed(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    store.splitTablet("people", row(20).key());
    for (int i = 0; i < 40; i++) {
      put(i, "c" + i % 3);
    }
    db.indexes().create(NAME, "people", CITY.name(), Kind.LOCAL, seen -> {});
  }

  /** Cells of any version. */
  private long indexCells() {
    long cells = 0;
    try (RowScanner scanner =
        store.scan(ScanRequest.of("people", KeyRange.ALL, Selection.family("~index")))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        cells += row.cells().size();
      }
    }
    return cells;
  }

  /** Whether every index row lies where its row lies. */
  private boolean isTogether() {
    boolean together = true;
    try (Snapshot now = db.snapshot()) {
      for (Part part : ((TableIndexes) db.indexes()).rows(NAME).parts()) {
        try (RowCursor cursor = now.scan(part.scan(KeyRange.ALL))) {
          while (cursor.hasNext()) {
            RowValues each = cursor.next();
            Row of = Row.of("people", each.get(part.column()).orElseThrow());
            together &= store.together(List.of(each.row(), of));
          }
        }
      }
    }
    return together;
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotFromBeforeAsksTheIndexAsItWas(Protocol protocol) {
    indexed(protocol);
    put(1, "c0");
    try (Snapshot before = db.snapshot()) {
      put(7, "c0");
      db.run(
          tx -> {
            tx.delete(row(9), CITY);
            return 0;
          });
      List<Row> then = find(before, "c0");
      List<Row> now = find(db.snapshot(), "c0");
      assertThat(now).isNotEqualTo(then);
      db.tables().fence("people");
      long cells = indexCells();
      store.splitTablet("people", row(5).key());
      store.splitTablet("people", row(30).key());
      assertThat(isTogether()).isFalse();

      follow();

      assertThat(((TableIndexes) db.indexes()).rows(NAME).parts()).hasSize(4);
      assertThat(isTogether()).isTrue();
      assertThat(indexCells()).isEqualTo(cells);
      assertThat(find(before, "c0")).isEqualTo(then);
      assertThat(find(db.snapshot(), "c0")).isEqualTo(now);
    }
    long twoPhase = db.operations().percolatorStatistics().twoPhase();
    put(35, "elsewhere");
    assertThat(db.operations().percolatorStatistics().twoPhase()).isEqualTo(twoPhase);
    assertThat(db.indexes().drop(NAME)).isTrue();
    assertThat(indexCells()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void othersWriteAndAskMeanwhile(Protocol protocol) throws Exception {
    indexed(protocol);
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<Future<?>> load = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Random random = new Random(i);
      load.add(
          threads.submit(
              () -> {
                while (!stop.get()) {
                  put(random.nextInt(40), "c" + random.nextInt(3));
                  try (Snapshot now = db.snapshot()) {
                    assertThat(range(now, -1)).hasSize(40).doesNotHaveDuplicates();
                    assertThat(range(now, 15)).hasSize(15);
                  }
                }
                return null;
              }));
    }
    try {
      for (int cut : new int[] {10, 30, 5}) {
        store.splitTablet("people", row(cut).key());
        follow();
      }
    } finally {
      stop.set(true);
      threads.shutdown();
    }
    for (Future<?> each : load) {
      each.get();
    }
    assertThat(((TableIndexes) db.indexes()).rows(NAME).parts()).hasSize(5);
    assertThat(isTogether()).isTrue();
    assertThat(range(db.snapshot(), -1)).hasSize(40);
  }

  private List<Row> range(Snapshot reads, long limit) {
    return db.indexes().range(reads, "people", CITY, null, null, limit);
  }

  /** Wherever it broke off, the index says what it said, and the next time goes on. */
  @ParameterizedTest
  @EnumSource
  void whatBrokeOffGoesOn(Protocol protocol) {
    for (int passing = 0; passing < 4; passing++) {
      if (passing > 0) {
        db.dropTable("people");
      }
      indexed(protocol);
      store.splitTablet("people", row(10).key());
      store.splitTablet("people", row(30).key());
      writesLeft.set(passing);
      assertThatThrownBy(this::follow).isInstanceOf(TabletUnavailableException.class);
      writesLeft.set(-1);
      put(15, "other");
      put(35, "other");
      assertThat(find(db.snapshot(), "other")).containsExactly(row(15), row(35));
      assertThat(range(db.snapshot(), 39)).hasSize(39).doesNotHaveDuplicates();
      follow();
      assertThat(find(db.snapshot(), "other")).containsExactly(row(15), row(35));
      assertThat(range(db.snapshot(), -1)).hasSize(40);
      assertThat(isTogether()).isTrue();
      assertThat(((TableIndexes) db.indexes()).rows(NAME).parts()).hasSize(4);
      assertThat(db.transactions().pins()).isEmpty();
    }
  }

  @Test
  void partsFollowByThemselvesOnceThereAreTwiceAsManyTablets() {
    indexed(Protocol.OMID);
    store.splitTablet("people", row(10).key());
    ((TableIndexes) db.indexes()).followAll();
    assertThat(((TableIndexes) db.indexes()).rows(NAME).parts()).hasSize(2);
    store.splitTablet("people", row(30).key());
    ((TableIndexes) db.indexes()).followAll();
    assertThat(((TableIndexes) db.indexes()).rows(NAME).parts()).hasSize(4);
    assertThat(isTogether()).isTrue();
  }

  /** A tablet may be cut between index rows: its part begins behind them. */
  @Test
  void aTabletThatBeginsAmongIndexRowsHasAPartBehindThem() {
    indexed(Protocol.PERCOLATOR);
    Part first = ((TableIndexes) db.indexes()).rows(NAME).parts().get(0);
    store.splitTablet("people", first.prefix().concat(CITY.codec().encode("c1")));
    follow();
    assertThat(((TableIndexes) db.indexes()).rows(NAME).parts()).hasSize(3);
    put(3, "other");
    put(30, "other");
    assertThat(find(db.snapshot(), "other")).containsExactly(row(3), row(30));
    assertThat(range(db.snapshot(), -1)).hasSize(40);
  }

  @Test
  void onlyALocalIndexFollows() {
    db.ensureTable("people", "f");
    assertThatThrownBy(this::follow).hasMessageContaining("There is no index");
    db.indexes().create(NAME, "people", CITY.name(), Kind.GLOBAL, seen -> {});
    assertThatThrownBy(this::follow).hasMessageContaining("leave it as it is");
  }

  /** What it wrote before has its index rows where the index stood: it would not be found. */
  @ParameterizedTest
  @EnumSource
  void whoHasWrittenAndAsksAfterAMoveRunsAgain(Protocol protocol) {
    indexed(protocol);
    try (Transaction tx = db.begin()) {
      tx.set(row(5), CITY, "here");
      assertThat(find(tx, "here")).containsExactly(row(5));
      store.splitTablet("people", row(3).key());
      follow();
      assertThatThrownBy(() -> find(tx, "here"))
          .isInstanceOf(ConflictException.class)
          .hasMessageContaining("epoch");
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(find(db.snapshot(), "here")).isEmpty();
  }

  /** One that is being dropped, or was broken off at that, is in nobody's way. */
  @ParameterizedTest
  @EnumSource
  void whileAnotherIndexIsDroppedThisOneIsAskedByWhoHasWritten(Protocol protocol) {
    indexed(protocol);
    String other = "people.name";
    db.indexes()
        .create(
            other, "people", Column.of("f", "name", Codecs.utf8()).name(), Kind.LOCAL, seen -> {});
    db.run(
        tx -> {
          tx.set(row(3), Column.of("f", "name", Codecs.utf8()), "Ada");
          return 0;
        });
    refusesRemovals = true;
    assertThatThrownBy(() -> db.indexes().drop(other))
        .isInstanceOf(TabletUnavailableException.class);
    try (Transaction tx = db.begin()) {
      tx.set(row(5), CITY, "here");
      assertThat(find(tx, "here")).containsExactly(row(5));
      tx.commit();
    }
    refusesRemovals = false;
    assertThat(db.indexes().drop(other)).isTrue();
  }

  /**
   * Faults 10 and 12: what a transaction wrote in another table is still undecided there when the
   * index rows go that it wrote here. They decide nothing.
   */
  @Test
  void whatIsUndecidedElsewhereIsCommittedAlthoughItsIndexRowsHaveGone() {
    indexed(Protocol.PERCOLATOR);
    db.ensureTable("zoo", Protocol.PERCOLATOR, "f");
    Row animal = Row.of("zoo", "1");
    deafTable = "zoo";
    db.run(
        tx -> {
          tx.set(row(5), CITY, "here");
          tx.set(animal, CITY, "Ulm");
          return 0;
        });
    db.close();
    memory.restart();
    BraidConfig impatient = BraidConfig.defaults().with(Setting.READ_WAIT, "100 ms");
    try (Braid next = Braid.over(store, impatient)) {
      assertThat(next.indexes().drop(NAME)).isTrue();
    }
    deafTable = null;
    memory.restart();
    // One that does not remember what the other has found decided.
    try (Braid next = Braid.over(memory, impatient)) {
      assertThat(next.snapshot().get(animal, CITY)).contains("Ulm");
    }
  }

  /** A call that was sent twice brings no value back whose deletion was collected (Fault 26). */
  @ParameterizedTest
  @EnumSource
  void whatArrivesLateChangesNothing(Protocol protocol) {
    indexed(protocol);
    requireNoneIsWritten(blind);
    blind.clear();
    store.splitTablet("people", row(10).key());
    follow();
    requireNoneIsWritten(blind.stream().filter(each -> !each.write().puts().isEmpty()).toList());
    List<WriteUnderEpoch.Request> before = List.copyOf(blind);
    store.splitTablet("people", row(30).key());
    follow();
    requireNoneIsWritten(before);
  }

  private void requireNoneIsWritten(List<WriteUnderEpoch.Request> late) {
    assertThat(late).isNotEmpty();
    assertThat(memory.execute(WriteUnderEpoch.INSTANCE, late, Durability.SYNCED))
        .allSatisfy(outcome -> assertThat(outcome).isEqualTo(Outcome.done(false)));
  }
}
