package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.store.Durability;
import io.braid.core.store.Lift;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Health;
import io.braid.store.rocksdb.engine.Tuning;
import io.braid.store.rocksdb.reads.Counters;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorted files: taken over whole, or refused (fault 46). */
class IngestTest {
  private static final ScanRequest ALL =
      ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("d"));

  @TempDir Path directory;
  private RocksStore store;

  @BeforeEach
  void open() {
    store = RocksStore.open(directory.resolve("store"), Fixtures.SMALL);
    store.ensureTable(Fixtures.schema());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void filesAreMovedInTogetherAndReplaceEqualCells() throws IOException {
    Fixtures.put(store, "b", Fixtures.DATA, 5, "old");
    Fixtures.put(store, "b", Fixtures.DATA, 6, "kept");
    Path one = file("one", "d", "a", "b");
    Path two = file("two", "d", "b", "c");
    store.ingest(Fixtures.TABLE, "d", List.of(one, two));
    assertThat(value("a")).isEqualTo("one");
    assertThat(value("c")).isEqualTo("two");
    assertThat(store.read(RowRead.of(Fixtures.row("b"), Selection.column(Fixtures.DATA))).cells())
        .extracting(cell -> cell.version() + cell.value().toUtf8())
        .containsExactly("6kept", "5two");
    assertThat(Files.exists(one) || Files.exists(two)).isFalse();
    Fixtures.remove(store, "b", Fixtures.DATA, 5);
    assertThat(Fixtures.all(store, ALL)).hasSize(3);
    close();
    open();
    assertThat(Fixtures.all(store, ALL)).hasSize(3);
    assertThat(value("a")).isEqualTo("one");
  }

  /** Its native objects are gone then, or are others. */
  @Test
  void aTableThatIsDroppedOrOpenedAnewBetweenTwoStepsIsFoundAnew() throws IOException {
    store.close();
    StoreClock clock = new StoreClock();
    clock.advance(1L << 40);
    OpenDatabase databases =
        new OpenDatabase(
            () ->
                new Database(
                    Fixtures.engine(directory.resolve("store/rocksdb")),
                    Fixtures.SMALL,
                    clock,
                    new Health(),
                    new Counters()));
    try {
      Path moved = file(databases, "moved");
      Path refused = file(databases, "refused");
      Ingestion first = databases.inside(db -> ingestion(db, moved));
      Ingestion second = databases.inside(db -> ingestion(db, refused));
      databases.reopen(() -> {});
      databases.takingLong(first::prepare);
      assertThat(databases.<Boolean>besideVeiled(first::isHidden)).isFalse();
      databases.alone(first::move);
      databases.afterLongWork(db -> db.drop(db.catalog.table(Fixtures.TABLE)));
      assertThatThrownBy(() -> databases.takingLong(second::prepare))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("was dropped meanwhile");
    } finally {
      databases.close(db -> {});
      open();
    }
  }

  private static Ingestion ingestion(Database db, Path file) {
    Table table = db.catalog.table(Fixtures.TABLE);
    Ingestion ingestion = new Ingestion(table, table.family("d"), List.of(file));
    ingestion.verify();
    return ingestion;
  }

  private Path file(OpenDatabase databases, String name) {
    Path file = directory.resolve(name);
    try (SortedFileWriter writer =
        databases.inside(
            db -> {
              Family of = db.catalog.table(Fixtures.TABLE).family("d");
              return new SortedFile(Fixtures.TABLE, of.schema(), file, Tuning.sortedFile(of.kind));
            })) {
      writer.put(Bytes.of("a"), Fixtures.DATA.qualifier(), 5, Bytes.of(name));
      writer.finish();
    }
    return file;
  }

  /** Nobody sees cells under a veil, so nobody waits for them, however long he takes. */
  @Test
  void filesUnderAVeilComeInBesideCallsThatAreUnderWay() throws Exception {
    Fixtures.put(store, "a", Fixtures.DATA, 1, "old");
    assertThat(value("a")).isEqualTo("old");
    store.veil(Fixtures.TABLE, 5, false);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch ingested = new CountDownLatch(1);
    Thread call =
        new Thread(
            () ->
                store.execute(
                    Fixtures.procedure(
                        List.of(Fixtures.row("z")),
                        (rows, n) -> {
                          inside.countDown();
                          return await(ingested) ? 1L : 0L;
                        }),
                    0L,
                    Durability.BUFFERED));
    call.start();
    assertThat(await(inside)).isTrue();
    Thread ingest =
        new Thread(
            () -> {
              store.ingest(Fixtures.TABLE, "d", List.of(file("one", "d", "a", "b")));
              ingested.countDown();
            });
    ingest.start();
    assertThat(await(ingested)).isTrue();
    ingest.join();
    call.join();
    assertThat(value("a")).isEqualTo("old");
    store.advanceClock(() -> 6);
    Lift lift =
        store.lift(Fixtures.TABLE, 5, 7, store.epoch(Fixtures.TABLE), "s", (row, v) -> false);
    assertThat(lift.isLifted()).isTrue();
    assertThat(value("a")).isEqualTo("one");
    assertThat(value("b")).isEqualTo("one");
  }

  /** Fault 45: what lies under a veil does not hide what stands beneath it from who scans. */
  @Test
  void aScanOfNewestCellsGoesPastThoseUnderAVeil() {
    Fixtures.put(store, "a", Fixtures.DATA, 1, "old");
    store.veil(Fixtures.TABLE, 5, false);
    store.ingest(Fixtures.TABLE, "d", List.of(file("one", "d", "a", "b")));
    ScanRequest newest =
        ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("d").newest(1));
    assertThat(Fixtures.all(store, newest))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.row()).isEqualTo(Fixtures.row("a"));
              assertThat(row.cells())
                  .singleElement()
                  .satisfies(cell -> assertThat(cell.value().toUtf8()).isEqualTo("old"));
            });
  }

  /** Fault 45: who looks for newer versions, which is done from memory, finds those of files. */
  @Test
  void whatCameInByFilesIsFoundByWhoLooksForNewerVersions() {
    Fixtures.put(store, "a", Fixtures.DATA, 1, "old");
    store.ingest(Fixtures.TABLE, "d", List.of(file("one", "d", "a", "b")));
    Outcome<Long> above =
        store.execute(
            Fixtures.procedure(
                List.of(Fixtures.row("a")),
                (rows, n) -> rows.newestAbove(Fixtures.row("a"), Fixtures.DATA, 3)),
            0L,
            Durability.BUFFERED);
    assertThat(((Outcome.Done<Long>) above).result()).isEqualTo(5);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void scanThatIsOpenDoesNotSeeThem() {
    Fixtures.put(store, "a", Fixtures.DATA, 1, "x");
    try (RowScanner scan = store.scan(ALL)) {
      store.ingest(Fixtures.TABLE, "d", List.of(file("one", "d", "b", "c")));
      assertThat(Objects.requireNonNull(scan.next()).row()).isEqualTo(Fixtures.row("a"));
      assertThat(scan.next()).isNull();
    }
    assertThat(Fixtures.all(store, ALL)).hasSize(3);
  }

  /** The files are durable at once; what was written before them must not be lost behind them. */
  @Test
  void whatWasWrittenBeforeIsSyncedFirst() {
    Fixtures.put(store, "a", ColumnName.of("e", "q"), 1, "earlier");
    long syncs = store.stats().walSyncs();
    store.ingest(Fixtures.TABLE, "d", List.of(file("one", "d", "b", "c")));
    assertThat(store.stats().walSyncs()).isGreaterThan(syncs);
  }

  @Test
  void sparseFamilyCountsWhatCameIn() {
    Fixtures.put(store, "a", Fixtures.SPARSE, 5, "old");
    store.ingest(Fixtures.TABLE, "s", List.of(file("one", "s", "a", "b")));
    assertThat(value("s", "a")).isEqualTo("one");
    assertThat(value("s", "b")).isEqualTo("one");
    Fixtures.remove(store, "a", Fixtures.SPARSE, 5);
    Fixtures.remove(store, "b", Fixtures.SPARSE, 5);
    long hits = store.stats().presenceHits();
    assertThat(value("s", "a")).isNull();
    assertThat(value("s", "b")).isNull();
    assertThat(store.stats().presenceHits()).isEqualTo(hits + 2);
  }

  @Test
  void drawsLieAboveVersionsThatCameIn() {
    store.advanceClock(1024);
    try (SortedFileWriter writer = store.sortedFile(Fixtures.TABLE, "d", path("high"))) {
      writer.put(Bytes.of("a"), Bytes.of("q"), 2048, Bytes.of("x"));
      writer.finish();
    }
    store.ingest(Fixtures.TABLE, "d", List.of(path("high")));
    long drawn =
        Fixtures.done(
            store.execute(
                Fixtures.procedure(List.of(Fixtures.row("a")), (rows, n) -> rows.clock().next(0)),
                0L,
                io.braid.core.store.Durability.BUFFERED));
    assertThat(drawn).isEqualTo(2049);
  }

  @Test
  void emptyFileChangesNothing() {
    store.ingest(Fixtures.TABLE, "d", List.of(file("none", "d"), file("one", "d", "a")));
    assertThat(Fixtures.all(store, ALL)).hasSize(1);
    store.ingest(Fixtures.TABLE, "d", List.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"truncated", "flipped", "unfinished", "unsealed", "torn seal", "none"})
  void damagedFileIsRefusedAndNoneIsTaken(String damage) throws IOException {
    Path good = file("good", "d", "a");
    Path bad = file("bad", "d", "b", "c");
    Path seal = FileSeal.path(bad);
    byte[] bytes = Files.readAllBytes(bad);
    switch (damage) {
      case "truncated" -> Files.write(bad, java.util.Arrays.copyOf(bytes, bytes.length - 3));
      case "flipped" -> {
        bytes[10] ^= 4;
        Files.write(bad, bytes);
      }
      case "unfinished" -> {
        bad = path("unfinished");
        try (SortedFileWriter writer = store.sortedFile(Fixtures.TABLE, "d", bad)) {
          writer.put(Bytes.of("x"), Bytes.of("q"), 1, Bytes.EMPTY);
        }
        assertThat(Files.exists(bad)).isFalse();
      }
      case "unsealed" -> Files.delete(seal);
      case "torn seal" -> Files.write(seal, java.util.Arrays.copyOf(Files.readAllBytes(seal), 20));
      default -> bad = path("nothing here");
    }
    Path refused = bad;
    assertThatThrownBy(() -> store.ingest(Fixtures.TABLE, "d", List.of(good, refused)))
        .isInstanceOf(StoreException.class);
    assertThat(Fixtures.all(store, ALL)).isEmpty();
    store.ingest(Fixtures.TABLE, "d", List.of(good));
    assertThat(value("a")).isEqualTo("good");
  }

  @Test
  void sealOfAnotherReleaseIsNamedAsThat() throws IOException {
    Path file = file("old", "d", "a");
    Bytes all = Bytes.wrap(Files.readAllBytes(FileSeal.path(file)));
    byte[] body = all.slice(0, all.length() - Long.BYTES).toArray();
    body[Long.BYTES] = 1; // the version
    CRC32C checksum = new CRC32C();
    checksum.update(body);
    Bytes old = new Encoder().raw(Bytes.wrap(body)).int64(checksum.getValue()).finish();
    Files.write(FileSeal.path(file), old.toArray());
    assertThatThrownBy(() -> store.ingest(Fixtures.TABLE, "d", List.of(file)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has version 1")
        .hasMessageContaining("Write the file again.");
  }

  @Test
  void fileOfAnotherTableOrFamilyIsRefused() {
    store.ensureTable(new TableSchema("other", Fixtures.schema().families()));
    Path file = file("one", "d", "a");
    assertThatThrownBy(() -> store.ingest(Fixtures.TABLE, "e", List.of(file)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is for family d");
    assertThatThrownBy(() -> store.ingest("other", "d", List.of(file)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is for family d");
    assertThatThrownBy(() -> store.ingest("none", "d", List.of(file)))
        .isInstanceOf(UnknownTableException.class);
    assertThatThrownBy(() -> store.ingest(Fixtures.TABLE, "d", List.of(file, file)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("twice");
    store.ingest(Fixtures.TABLE, "d", List.of(file));
  }

  @Test
  void cellsOutOfOrderAreRefused() {
    Path file = path("unordered");
    try (SortedFileWriter writer = store.sortedFile(Fixtures.TABLE, "d", file)) {
      writer.put(Bytes.of("b"), Bytes.of("q"), 5, Bytes.EMPTY);
      for (Runnable wrong :
          List.<Runnable>of(
              () -> writer.put(Bytes.of("a"), Bytes.of("q"), 5, Bytes.EMPTY),
              () -> writer.put(Bytes.of("b"), Bytes.of("p"), 5, Bytes.EMPTY),
              () -> writer.put(Bytes.of("b"), Bytes.of("q"), 6, Bytes.EMPTY),
              () -> writer.put(Bytes.of("b"), Bytes.of("q"), 5, Bytes.EMPTY))) {
        assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class);
      }
      writer.put(Bytes.of("b"), Bytes.of("q"), 4, Bytes.EMPTY);
    }
    assertThat(Files.exists(file)).isFalse();
  }

  @Test
  void existingFileIsNotOverwritten() throws IOException {
    Path file = path("there");
    Files.writeString(file, "mine");
    assertThatThrownBy(() -> store.sortedFile(Fixtures.TABLE, "d", file))
        .isInstanceOf(StoreException.class);
    assertThat(Files.readString(file)).isEqualTo("mine");
  }

  private Path file(String name, String family, String... keys) {
    Path file = path(name);
    try (SortedFileWriter writer = store.sortedFile(Fixtures.TABLE, family, file)) {
      for (String key : keys) {
        writer.put(Bytes.of(key), Bytes.of("q"), 5, Bytes.of(name));
      }
      writer.finish();
    }
    return file;
  }

  private Path path(String name) {
    return directory.resolve(name + ".sst");
  }

  private @org.jspecify.annotations.Nullable String value(String key) {
    return value("d", key);
  }

  private @org.jspecify.annotations.Nullable String value(String family, String key) {
    var cells = store.read(RowRead.of(Fixtures.row(key), Selection.family(family))).cells();
    return cells.isEmpty() ? null : cells.get(0).value().toUtf8();
  }
}
