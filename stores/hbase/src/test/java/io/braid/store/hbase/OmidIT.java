package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.indexes.DuplicateValueException;
import io.braid.indexes.Index.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables of Omid's protocol in a real HBase, cut into two regions: regular transactions, the fast
 * path, indexes and changes of the protocol, while others write.
 */
class OmidIT {
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final Column<Long> N = Column.of("f", "n", Codecs.int64());
  private static final int ROWS = 40;
  private static final int CITIES = 4;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong written = new AtomicLong();
  private final String table = "people" + TABLES.incrementAndGet();
  private volatile boolean stop;
  private static Braid db;

  /** One for all tests: its commit table is cut into many regions. */
  @BeforeAll
  static void open() {
    HBaseOptions options = HBaseOptions.DEFAULT.withNamespace("omid");
    db =
        Braid.over(
            HBaseStore.connect(LocalCluster.configuration(), options), BraidConfig.defaults());
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @BeforeEach
  void createTable() {
    db.ensureTable(table, Protocol.OMID, "f");
    db.store().splitTablet(table, row(ROWS / 2).key());
  }

  @AfterEach
  void stopLoad() {
    stop = true;
    threads.shutdownNow();
  }

  private Row row(long i) {
    return Row.of(table, String.format("%03d", i));
  }

  private void put(long i, String city) {
    db.run(
        tx -> {
          tx.set(row(i), CITY, city);
          return i;
        });
  }

  @Test
  void regularTransactionsAndTheFastPathMeet() {
    FastSession fast = db.fast();
    Row low = row(1);
    Row high = row(ROWS - 1);
    try (Transaction before = db.begin();
        Transaction tx = db.begin()) {
      tx.set(low, CITY, "Ulm");
      tx.set(high, CITY, "Bonn");
      assertThat(tx.commit()).isGreaterThan(before.timestamp());
      assertThat(before.get(low, CITY)).isEmpty();
      before.set(high, CITY, "Kiel");
      assertThatThrownBy(before::commit).isInstanceOf(ConflictException.class);
    }
    FastSession.Versioned<?> read = fast.readVersion(high, CITY);
    assertThat(fast.read(low, CITY)).contains("Ulm");
    long version = onceUnlocked(() -> fast.writeIf(read.version(), high, CITY, "Jena"));
    assertThatThrownBy(() -> fast.writeIf(read.version(), high, CITY, "Gera"))
        .isInstanceOf(ConflictException.class);
    try (Transaction tx = db.begin()) {
      assertThat(tx.get(high, CITY)).contains("Jena");
      assertThat(tx.timestamp()).isGreaterThan(version);
      // Figure 3: a fast write after the snapshot, where the transaction writes later.
      fast.write(high, CITY, "Gera");
      assertThat(tx.get(high, CITY)).contains("Jena");
      tx.set(high, CITY, "Suhl");
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(fast.read(high, CITY)).contains("Gera");
  }

  /** Until its post-commit, what was committed keeps fast writes out. */
  private static long onceUnlocked(LongSupplier write) {
    while (true) {
      try {
        return write.getAsLong();
      } catch (ConflictException e) {
        if (e.conflicts().get(0).cause() != ConflictException.Cause.LOCKED) {
          throw e;
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"GLOBAL", "LOCAL"})
  void anIndexIsBuiltWhileOthersWrite(Kind kind) throws Exception {
    for (int i = 0; i < ROWS; i += 2) {
      put(i, "c" + i % CITIES);
    }
    FastSession fast = db.fast(FastOptions.DEFAULT.orRegular(true));
    Future<?> load =
        start(
            random -> {
              long i = random.nextInt(ROWS);
              String city = "c" + random.nextInt(CITIES);
              if (random.nextInt(3) == 0) {
                fast.write(row(i), CITY, city);
              } else {
                put(i, city);
              }
            });
    await(10);
    db.indexes().create(table + ".city", table, CITY.name(), kind, seen -> {});
    await(20);
    if (kind == Kind.LOCAL) {
      db.store().splitTablet(table, row(ROWS / 4).key());
      db.indexes().follow(table + ".city", moved -> {});
      await(10);
    }
    stop = true;
    load.get();
    requireThatTheIndexSaysWhatTheTableSays();
    db.tables().switchProtocol(table, Protocol.PERCOLATOR);
    put(3, "c0");
    requireThatTheIndexSaysWhatTheTableSays();
    assertThat(db.indexes().drop(table + ".city")).isTrue();
  }

  @Test
  void aUniqueIndexKeepsValuesApart() {
    put(1, "Ulm");
    put(ROWS - 1, "Bonn");
    db.indexes().create(table + ".city", table, CITY.name(), Kind.UNIQUE, seen -> {});
    assertThatThrownBy(() -> put(2, "Bonn")).isInstanceOf(DuplicateValueException.class);
    put(2, "Kiel");
    try (Snapshot now = db.snapshot()) {
      assertThat(db.indexes().find(now, table, CITY, "Kiel")).containsExactly(row(2));
      assertThat(db.indexes().range(now, table, CITY, "A", "L", -1))
          .containsExactly(row(ROWS - 1), row(2));
    }
  }

  /** No increment is lost, and none is done twice, whatever protocol it found. */
  @Test
  void theProtocolChangesUnderLoad() throws Exception {
    List<Future<?>> load = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      load.add(start(random -> increment(random.nextInt(ROWS), random.nextInt(ROWS))));
    }
    await(20);
    for (Protocol protocol : List.of(Protocol.PERCOLATOR, Protocol.OMID)) {
      db.tables().switchProtocol(table, protocol);
      assertThat(db.tables().protocol(table)).isEqualTo(protocol);
      await(20);
    }
    stop = true;
    for (Future<?> each : load) {
      each.get();
    }
    long sum = 0;
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of(table).column(N))) {
      while (rows.hasNext()) {
        sum += rows.next().get(N).orElseThrow();
      }
    }
    assertThat(sum).isEqualTo(2 * written.get());
  }

  private void increment(long one, long two) {
    db.run(
        tx -> {
          for (long i : List.of(one, two)) {
            tx.set(row(i), N, tx.get(row(i), N).orElse(0L) + 1);
          }
          return true;
        });
  }

  private interface Work {
    void run(Random random);
  }

  private Future<?> start(Work work) {
    Random random = new Random(1);
    Callable<Void> loop =
        () -> {
          while (!stop) {
            if (worked(work, random)) {
              written.incrementAndGet();
            }
          }
          return null;
        };
    return threads.submit(loop);
  }

  /** Whoever met changes too often has written nothing, and tries again. */
  private static boolean worked(Work work, Random random) {
    try {
      work.run(random);
      return true;
    } catch (ConflictException | TabletUnavailableException e) {
      return false;
    }
  }

  private void await(long more) {
    long enough = written.get() + more;
    while (written.get() < enough) {
      Thread.yield();
    }
  }

  private void requireThatTheIndexSaysWhatTheTableSays() {
    List<List<Row>> scanned = new ArrayList<>();
    List<List<Row>> index = new ArrayList<>();
    try (Snapshot now = db.snapshot()) {
      for (int i = 0; i < CITIES; i++) {
        String city = "c" + i;
        index.add(db.indexes().find(now, table, CITY, city));
        List<Row> rows = new ArrayList<>();
        try (RowCursor cursor = now.scan(Scan.of(table).column(CITY))) {
          while (cursor.hasNext()) {
            RowValues each = cursor.next();
            if (each.get(CITY).orElseThrow().equals(city)) {
              rows.add(each.row());
            }
          }
        }
        scanned.add(rows);
      }
    }
    assertThat(index).isEqualTo(scanned);
    assertThat(scanned.stream().mapToInt(List::size).sum()).isGreaterThanOrEqualTo(ROWS / 2);
  }
}
