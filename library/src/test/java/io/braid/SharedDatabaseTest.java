package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableReplacedException;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.indexes.DuplicateValueException;
import io.braid.indexes.Index;
import io.braid.indexes.Index.Kind;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.WriteTentative;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordinator.Participant;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.MemoryStore.Reach;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Indexes and changes of the protocol where several processes share a database: a coordinator, and
 * clients that ask it over sockets, as far as that goes within one process.
 */
@Timeout(120)
class SharedDatabaseTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final Column<Long> N = Column.of("f", "n", Codecs.int64());
  private static final String NAME = "people.city";
  private static final int CITIES = 5;

  private final InProcessCoordination.Place place = new InProcessCoordination.Place();
  private final MemoryStore store = new MemoryStore(Reach.TABLET);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Braid> all = new ArrayList<>();
  private volatile boolean stop;

  /** Done once before the epoch of the table is raised, while nobody else has heard of that. */
  private Runnable beforeFence = () -> {};

  private Runnable afterDrop = () -> {};

  private Participant coordinator;
  private Braid one;
  private Braid other;

  private final class Open extends ForwardingStore {
    Open(CellStore store) {
      super(store);
    }

    @Override
    public void raiseEpoch(String table, long epoch) {
      if (table.equals("people")) {
        beforeFence.run();
      }
      super.raiseEpoch(table, epoch);
    }

    @Override
    public void dropTable(String table) {
      super.dropTable(table);
      if (table.equals("people")) {
        afterDrop.run();
      }
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void join() {
    store.ensureTable(Families.system());
    coordinator = participant(true);
    one = client();
    other = client();
  }

  private Participant participant(boolean candidate) {
    return new Participant(
        new InProcessCoordination(place, "a process of the test"),
        new StoreTimestampBound(store),
        new Participant.Terms(
            Duration.ofSeconds(30), candidate, InetAddress.getLoopbackAddress(), 0, 1 << 12));
  }

  private Braid client() {
    Participant joined = participant(false);
    Braid db =
        Braid.builder()
            .over(
                new Connector.Connection(
                    new Open(store),
                    joined.oracle(),
                    joined.manager(),
                    joined.seams(),
                    joined::close));
    all.add(db);
    return db;
  }

  @AfterEach
  void close() {
    stop = true;
    threads.shutdownNow();
    all.forEach(Braid::close);
    coordinator.close();
    store.close();
  }

  private static Row row(long i) {
    return Row.of("people", String.format("%03d", i));
  }

  private static void put(Braid db, long i, String city) {
    db.run(
        tx -> {
          tx.set(row(i), CITY, city);
          return i;
        });
  }

  private interface Work {
    void run(Random random) throws Exception;
  }

  private Future<?> start(Work work) {
    Random random = new Random(1);
    return threads.submit(
        () -> {
          while (!stop) {
            work.run(random);
            Thread.yield();
          }
          return null;
        });
  }

  private static void await(AtomicLong count, long more) {
    long enough = count.get() + more;
    while (count.get() < enough) {
      Thread.yield();
    }
  }

  /** The index says what the table says, whoever asks. */
  private void requireEqual(Braid db) {
    List<List<Row>> table = new ArrayList<>();
    List<List<Row>> index = new ArrayList<>();
    try (Snapshot now = db.snapshot()) {
      for (int i = 0; i < CITIES; i++) {
        String city = "c" + i;
        index.add(db.indexes().find(now, "people", CITY, city));
        List<Row> rows = new ArrayList<>();
        try (RowCursor cursor = now.scan(Scan.of("people").column(CITY))) {
          while (cursor.hasNext()) {
            RowValues each = cursor.next();
            if (each.get(CITY).orElseThrow().equals(city)) {
              rows.add(each.row());
            }
          }
        }
        table.add(rows);
      }
    }
    assertThat(index).isEqualTo(table);
    assertThat(table.stream().mapToInt(List::size).sum()).isPositive();
  }

  /** Fault 64: in every process, not only in the one that has dropped the table. */
  @ParameterizedTest
  @EnumSource
  void whatAnotherProcessBeganIsRefusedByTheTableCreatedAgain(Protocol protocol) {
    one.ensureTable("people", protocol, "f");
    put(one, 1, "Ulm");
    put(other, 2, "Ulm");
    FastSession fast = other.fast();
    try (Transaction tx = other.begin();
        Transaction late = other.begin();
        Snapshot before = other.snapshot()) {
      tx.set(row(3), CITY, "Bonn");
      one.dropTable("people");
      one.ensureTable("people", protocol, "f");
      put(one, 1, "Rom");
      late.set(row(3), CITY, "Bonn");

      List<ThrowingCallable> refused =
          List.of(
              () -> before.get(row(1), CITY),
              tx::commit,
              late::commit,
              () -> fast.read(row(1), CITY),
              () -> fast.write(row(3), CITY, "Bonn"));
      for (ThrowingCallable each : refused) {
        assertThatThrownBy(each).isInstanceOf(TableReplacedException.class);
      }
    }
    try (Snapshot now = other.snapshot()) {
      assertThat(now.get(row(1), CITY)).contains("Rom");
      assertThat(now.get(row(3), CITY)).isEmpty();
    }
    assertThat(other.fast().read(row(1), CITY)).contains("Rom");
    put(other, 3, "Bonn");
  }

  /** Fault 64: the process that drops a table dies on its way. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tableThatIsHalfDroppedCanBeDroppedAndCreatedByOthers(boolean gone) {
    one.ensureTable("people", Protocol.OMID, "f");
    put(one, 1, "Ulm");
    Runnable die =
        () -> {
          beforeFence = () -> {};
          afterDrop = () -> {};
          throw new AssertionError("The process has died.");
        };
    if (gone) {
      afterDrop = die;
    } else {
      beforeFence = die;
    }
    assertThatThrownBy(() -> one.dropTable("people")).isInstanceOf(AssertionError.class);
    assertThat(store.table("people").isEmpty()).isEqualTo(gone);

    other.dropTable("people");
    other.ensureTable("people", Protocol.OMID, "f");
    put(other, 1, "Rom");
    put(one, 2, "Rom");
    assertThat(one.tables().protocol("people")).isEqualTo(Protocol.OMID);
  }

  @ParameterizedTest
  @CsvSource({"PERCOLATOR,GLOBAL", "PERCOLATOR,LOCAL", "OMID,GLOBAL", "OMID,LOCAL"})
  void anIndexThatOneProcessCreatesIsKeptByAll(Protocol protocol, Kind kind) throws Exception {
    one.ensureTable("people", protocol, "f");
    store.splitTablet("people", row(30).key());
    for (int i = 0; i < 60; i += 2) {
      put(one, i, "c" + i % CITIES);
    }
    Braid late = client();
    AtomicLong writes = new AtomicLong();
    Future<?> load =
        start(
            random -> {
              long i = random.nextInt(60);
              String city = "c" + random.nextInt(CITIES);
              if (random.nextInt(3) == 0) {
                fast(other, i, city);
              } else {
                put(other, i, city);
              }
              writes.incrementAndGet();
            });
    await(writes, 10);

    one.indexes().create(NAME, "people", CITY.name(), kind, seen -> {});
    await(writes, 30);
    put(late, 61, "c1");
    stop = true;
    load.get();
    requireEqual(one);
    requireEqual(other);
    assertThat(late.indexes().all()).hasSize(1);

    other.indexes().drop(NAME);
    assertThatThrownBy(() -> requireEqual(one)).hasMessageContaining("has no index");
    put(one, 3, "c4");
    fast(late, 5, "c4");
    late.indexes().create(NAME, "people", CITY.name(), kind, seen -> {});
    put(one, 7, "c4");
    requireEqual(other);
  }

  private static void fast(Braid db, long i, String city) {
    try {
      db.fast().write(row(i), CITY, city);
    } catch (ConflictException e) {
      // A regular transaction was first.
    }
  }

  /**
   * One process has heard of an index that is being built and writes a row with its index row;
   * another has not, and changes the row without, before the fence.
   */
  @ParameterizedTest
  @CsvSource({
    "PERCOLATOR,GLOBAL",
    "PERCOLATOR,LOCAL",
    "OMID,GLOBAL",
    "OMID,LOCAL",
    "PERCOLATOR,UNIQUE",
    "OMID,UNIQUE"
  })
  void whatOneWroteWithItsIndexRowAnotherMayChangeWithoutBeforeTheFence(
      Protocol protocol, Kind kind) {
    one.ensureTable("people", protocol, "f");
    put(one, 1, "c1");
    put(other, 2, "c2");
    beforeFence =
        () -> {
          put(one, 1, "c3");
          put(other, 1, "c4");
          beforeFence = () -> {};
        };
    one.indexes().create(NAME, "people", CITY.name(), kind, seen -> {});
    requireEqual(one);
    requireEqual(other);
  }

  /** What makes a commit's cells records under an epoch that has passed hears of the new one. */
  private void awaitPostCommits() {
    for (boolean all = false; !all; Thread.yield()) {
      try (RowScanner entries =
          store.scan(
              ScanRequest.of(
                  CommitEntries.TABLE, KeyRange.ALL, Selection.family(CommitEntries.FAMILY)))) {
        all = entries.next() == null;
      }
    }
  }

  /** It began after the fence, and hears of the index only when it has written without. */
  @ParameterizedTest
  @EnumSource
  void whoHasWrittenWithoutAnIndexAndAsksItRunsAgain(Protocol protocol) {
    one.ensureTable("people", protocol, "f");
    put(one, 1, "c1");
    put(other, 2, "c2");
    // What is known of Omid's tables is read when the first transaction begins after one of them.
    put(other, 3, "c2");
    if (protocol == Protocol.OMID) {
      awaitPostCommits();
    }
    one.indexes().create(NAME, "people", CITY.name(), Kind.LOCAL, seen -> {});
    try (Transaction tx = other.begin()) {
      tx.set(row(5), CITY, "c3");
      assertThat(other.indexes().all()).hasSize(1);
      assertThatThrownBy(() -> other.indexes().find(tx, "people", CITY, "c3"))
          .isInstanceOf(ConflictException.class);
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    put(other, 5, "c3");
    requireEqual(one);
  }

  /** Two processes ask for one index at once: both have it in the end, built once. */
  @Test
  void anIndexThatTwoCreateAtOnceIsOne() throws Exception {
    one.ensureTable("people", "f");
    for (int i = 0; i < 30; i++) {
      put(one, i, "c" + i % CITIES);
    }
    Future<Index> first =
        threads.submit(
            () -> one.indexes().create(NAME, "people", CITY.name(), Kind.UNIQUE, seen -> {}));
    assertThatThrownBy(
            () -> other.indexes().create(NAME, "people", CITY.name(), Kind.UNIQUE, seen -> {}))
        .isInstanceOf(DuplicateValueException.class);
    assertThatThrownBy(first::get).hasCauseInstanceOf(DuplicateValueException.class);
    assertThat(one.indexes().all()).isEmpty();
    Future<Index> again =
        threads.submit(
            () -> one.indexes().create(NAME, "people", CITY.name(), Kind.LOCAL, seen -> {}));
    Index index = other.indexes().create(NAME, "people", CITY.name(), Kind.LOCAL, seen -> {});
    assertThat(again.get()).isEqualTo(index);
    requireEqual(one);
  }

  /** One process changes the protocol again and again while another writes and a third reads. */
  @Test
  void aTableChangesItsProtocolUnderAllProcesses() throws Exception {
    one.ensureTable("people", Protocol.PERCOLATOR, "f");
    one.indexes().create(NAME, "people", CITY.name(), Kind.GLOBAL, seen -> {});
    Braid third = client();
    AtomicLong done = new AtomicLong();
    AtomicLong looks = new AtomicLong();
    Future<?> load =
        start(
            random -> {
              long a = random.nextInt(10);
              long b = 10 + random.nextInt(10);
              other.run(
                  tx -> {
                    tx.set(row(a), N, tx.get(row(a), N).orElse(0L) + 1);
                    tx.set(row(b), N, tx.get(row(b), N).orElse(0L) + 1);
                    tx.set(row(a), CITY, "c" + random.nextInt(CITIES));
                    return 0;
                  });
              done.addAndGet(2);
            });
    Future<?> reads =
        start(
            random -> {
              assertThat(sum(third) % 2).isZero();
              looks.incrementAndGet();
            });
    for (int i = 0; i < 4; i++) {
      await(done, 20);
      await(looks, 2);
      one.tables().switchProtocol("people", i % 2 == 0 ? Protocol.OMID : Protocol.PERCOLATOR);
    }
    await(done, 20);
    await(looks, 2);
    stop = true;
    load.get();
    reads.get();
    assertThat(sum(third)).isEqualTo(done.get());
    requireEqual(third);
    assertThat(third.tables().protocol(NAME)).isEqualTo(Protocol.PERCOLATOR);
  }

  private static long sum(Braid db) {
    long sum = 0;
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of("people").column(N))) {
      while (rows.hasNext()) {
        sum += rows.next().get(N).orElseThrow();
      }
    }
    return sum;
  }

  /** Who only reads learns of another protocol when it meets an intent of it. */
  @Test
  void aReaderThatMeetsAnIntentOfAnotherProtocolLooksAtTheBinding() {
    one.ensureTable("people", Protocol.PERCOLATOR, "f");
    put(one, 1, "Ulm");
    put(one, 2, "Bern");
    assertThat(other.snapshot().get(row(1), CITY)).contains("Ulm");
    one.tables().switchProtocol("people", Protocol.OMID);
    RowMutation mutation =
        new RowMutation(
            row(1),
            store.epoch("people"),
            List.of(new CellWrite(CITY.name(), Intent.Kind.PUT, Bytes.of("Rom"), false)),
            List.of());
    long start = one.oracle().next();
    store.execute(
        WriteTentative.INSTANCE,
        new WriteTentative.Request(mutation, start, "somebody who died", 0),
        Durability.BUFFERED);

    try (Snapshot now = other.snapshot();
        RowCursor rows = now.scan(Scan.of("people").column(CITY))) {
      assertThat(rows.next().get(CITY)).contains("Ulm");
      assertThat(rows.next().get(CITY)).contains("Bern");
      assertThat(rows.hasNext()).isFalse();
    }
    assertThat(other.tables().protocol("people")).isEqualTo(Protocol.OMID);
    put(other, 1, "Wien");
    assertThat(one.snapshot().get(row(1), CITY)).contains("Wien");
  }

  /** Who changed the protocol died amid it: writers wait until somebody goes on. */
  @Test
  void aChangeOfTheProtocolThatBrokeOffGoesOn() throws Exception {
    one.ensureTable("people", Protocol.PERCOLATOR, "f");
    put(other, 1, "Ulm");
    ColumnName binding = ColumnName.of(Families.SYSTEM, "protocol");
    store.write(
        List.of(
            RowWrite.put(
                Row.of(Families.SYSTEM_TABLE, "table/people"),
                new Cell(binding, 1, Bytes.of("percolator>omid")))),
        Durability.SYNCED);
    store.raiseEpoch("people", store.epoch("people") + 1);
    long before = other.operations().percolatorStatistics().onePhase();
    Future<?> waiting = threads.submit(() -> put(other, 1, "Bern"));
    assertThat(city(one)).isEqualTo("Ulm");

    one.tables().switchProtocol("people", Protocol.OMID);

    waiting.get();
    assertThat(city(one)).isEqualTo("Bern");
    assertThat(other.operations().percolatorStatistics().onePhase()).isEqualTo(before);
    assertThat(other.operations().omidStatistics().orElseThrow().commits()).isEqualTo(1);
  }

  private static String city(Braid db) {
    try (Snapshot now = db.snapshot()) {
      return now.get(row(1), CITY).orElse("");
    }
  }
}
