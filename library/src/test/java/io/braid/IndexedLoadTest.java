package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.FailureCode;
import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.LoadableTables;
import io.braid.batch.engine.AttemptFiles;
import io.braid.batch.engine.EngineSnapshots;
import io.braid.batch.input.RawRecord;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.rows.IndexRow;
import io.braid.batch.sink.IndexRowsAhead;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index.Kind;
import io.braid.indexes.IndexKeys;
import io.braid.indexes.IndexRows;
import io.braid.indexes.TableIndexes;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.MemoryStore.Reach;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads of tables that have indexes: what an index says is what the table holds. */
class IndexedLoadTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final int ROWS = 60;
  private static final int CITIES = 5;

  @TempDir Path dir;
  private Braid db = Braid.over(memory(), BraidConfig.defaults());
  private int jobs;

  private static MemoryStore memory() {
    return new MemoryStore(MemoryOptions.defaults().reach(Reach.TABLET));
  }

  @AfterEach
  void close() {
    db.close();
  }

  /** In memory there are no veils. */
  private void openFor(Way way) {
    if (way == Way.FILES) {
      db.close();
      db = Braid.open(dir.resolve("db"));
    }
  }

  /** Ways to load. */
  enum Way {
    STANDARD(LoadOptions.DEFAULT),
    STANDARD_WINS(LoadOptions.DEFAULT.with(Conflicts.LOAD)),
    ATOMIC(LoadOptions.DEFAULT.atomically()),
    ATOMIC_WINS(LoadOptions.DEFAULT.atomically().with(Conflicts.LOAD)),
    FILES(LoadOptions.DEFAULT.by(Algorithm.VANILLA_SORT));

    private final LoadOptions options;

    Way(LoadOptions options) {
      this.options = options;
    }

    boolean wins() {
      return options.conflicts() == Conflicts.LOAD;
    }
  }

  static Stream<Arguments> cases() {
    return Stream.of(Protocol.values())
        .flatMap(
            protocol ->
                Stream.of(Kind.GLOBAL, Kind.LOCAL)
                    .flatMap(
                        kind ->
                            Stream.of(Way.values()).map(way -> Arguments.of(protocol, kind, way))));
  }

  private void table(Protocol protocol, Kind kind) {
    db.ensureTable("people", protocol, "f");
    db.store().splitTablet("people", row(ROWS / 2).key());
    for (int i = 0; i < ROWS; i += 2) {
      put(i, "c" + i % CITIES);
    }
    db.indexes().create("cities", "people", CITY.name(), kind, seen -> {});
  }

  private static Row row(int i) {
    return Row.of("people", String.format("%05d", i));
  }

  private void put(int i, String city) {
    db.run(
        tx -> {
          tx.set(row(i), CITY, city);
          return i;
        });
  }

  private Path input() throws IOException {
    StringBuilder text = new StringBuilder("id,city\n");
    for (int i = 0; i < ROWS; i++) {
      if (i % 3 != 0) {
        text.append(row(i).key().toUtf8()).append(",c").append((i + 1) % CITIES).append('\n');
      }
    }
    return Files.writeString(dir.resolve("in.csv"), text);
  }

  private LoadJob job(LoadContext context, Way way) throws IOException {
    return LoadJob.create(
        context,
        dir.resolve("jobs"),
        "job-" + ++jobs,
        "people",
        List.of(input()),
        Mapping.ofFamily(List.of("id"), "f"),
        way.options);
  }

  private void load(LoadContext context, Way way) throws IOException {
    assertThat(job(context, way).run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
  }

  /** A record may meet a writer at each of its tries, and is left for another round then. */
  private void loadBesideWriters(Way way) throws IOException {
    LoadJob job = job(db.loads(), way);
    JobState.Phase phase = job.run(JobView.NONE).state().phase();
    while (phase == JobState.Phase.REMAINDER) {
      phase = job.retry(JobView.NONE).state().phase();
    }
    assertThat(phase).isEqualTo(JobState.Phase.DONE);
  }

  /** By the index and by a scan, at one snapshot; the number of rows. */
  private int requireEqual(Snapshot now) {
    Map<String, TreeSet<Row>> scanned = new TreeMap<>();
    int rows = 0;
    try (RowCursor cursor = now.scan(Scan.of("people").column(CITY))) {
      while (cursor.hasNext()) {
        RowValues each = cursor.next();
        scanned
            .computeIfAbsent(each.get(CITY).orElseThrow(), city -> new TreeSet<>())
            .add(each.row());
        rows++;
      }
    }
    List<Row> all = new ArrayList<>();
    for (int c = 0; c < CITIES; c++) {
      List<Row> found = db.indexes().find(now, "people", CITY, "c" + c);
      assertThat(found)
          .as("c" + c + " at " + now.timestamp())
          .containsExactlyElementsOf(scanned.getOrDefault("c" + c, new TreeSet<>()));
      all.addAll(found);
    }
    assertThat(all).hasSize(rows);
    assertThat(db.indexes().range(now, "people", CITY, null, null, -1))
        .containsExactlyElementsOf(all);
    assertThat(db.indexes().range(now, "people", CITY, null, null, 7))
        .containsExactlyElementsOf(all.subList(0, Math.min(7, rows)));
    return rows;
  }

  private int requireEqual() {
    try (Snapshot now = db.snapshot()) {
      return requireEqual(now);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anIndexSaysWhatWasLoaded(Protocol protocol, Kind kind, Way way) throws IOException {
    openFor(way);
    table(protocol, kind);
    try (Snapshot before = db.snapshot()) {
      load(db.loads(), way);
      assertThat(requireEqual(before)).isEqualTo(ROWS / 2);
    }
    assertThat(requireEqual()).isEqualTo(ROWS / 2 + ROWS / 3);
    // Transactions go on with what the load has left.
    for (int i = 0; i < ROWS; i += 3) {
      put(i, "c" + i % CITIES);
      put(i + 1, "c" + i % CITIES);
    }
    requireEqual();
    db.run(
        tx -> {
          for (int i = 0; i < ROWS; i += 2) {
            tx.delete(row(i), CITY);
          }
          return 0;
        });
    assertThat(requireEqual()).isEqualTo(ROWS / 2);
  }

  /** Whoever writes over the load between its index rows and its records takes these rows away. */
  @ParameterizedTest
  @MethodSource("cases")
  void anIndexSaysWhatOthersWroteBetweenIndexRowsAndRecords(Protocol protocol, Kind kind, Way way)
      throws IOException {
    openFor(way);
    table(protocol, kind);
    LoadContext loads = db.loads();
    AtomicBoolean written = new AtomicBoolean();
    TimestampOracle between =
        new Interrupted(
            loads.oracle(),
            () -> {
              // Once there are index rows: the same value as the load, then another one.
              if (indexRows() > ROWS / 2 && written.compareAndSet(false, true)) {
                put(1, "c2");
                put(1, "c4");
                put(2, "c4");
              }
            });
    load(
        new LoadContext(
            loads.store(),
            loads.transactions(),
            loads.loadable(),
            between,
            loads.changes(),
            loads.seams(),
            loads.limits(),
            loads.smallValueBytes()),
        way);
    assertThat(written).isTrue();
    requireEqual();
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(row(1), CITY)).contains(way.wins() ? "c2" : "c4");
      assertThat(now.get(row(2), CITY)).contains(way.wins() ? "c3" : "c4");
    }
  }

  /** The load stood still after it had marked the index, and before it wrote the index row. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void indexRowOfAnIndexThatWasMadeAnewMeanwhileIsRefused(Protocol protocol) {
    table(protocol, Kind.GLOBAL);
    LoadContext loads = db.loads();
    AtomicBoolean remade = new AtomicBoolean();
    IndexRowsAhead indexes =
        new IndexRowsAhead(
            new LoadContext(
                loads.store(),
                loads.transactions(),
                new Remaking(loads.loadable(), remade),
                loads.oracle(),
                loads.changes(),
                loads.seams(),
                loads.limits(),
                loads.smallValueBytes()));
    CellWrite cell = new CellWrite(CITY.name(), Intent.Kind.PUT, Bytes.of("c9"), false);
    List<SinkRecord> records =
        List.of(new SinkRecord(new RawRecord(0, Bytes.EMPTY), row(1), List.of(cell)));

    IndexRowsAhead.WrittenIndexRows ahead = indexes.write(records);

    assertThat(remade).isTrue();
    assertThat(ahead.open()).isEmpty();
    assertThat(ahead.refused().get(0))
        .isInstanceOfSatisfying(
            WriteResult.Failed.class,
            failed -> assertThat(failed.code()).isEqualTo(FailureCode.STALE_EPOCH));
    // Row 1 has no such value: who asks the new index must not hear of it.
    requireEqual();
    assertThat(indexes.write(records).open()).isEqualTo(records);
    requireEqual();
  }

  /** What a load is told of indexes, while one of them is dropped and created again. */
  private final class Remaking implements LoadableTables {
    private final LoadableTables inner;
    private final AtomicBoolean remade;

    Remaking(LoadableTables inner, AtomicBoolean remade) {
      this.inner = inner;
      this.remade = remade;
    }

    @Override
    public void require(String table) {
      inner.require(table);
    }

    @Override
    public void lookAgain() {
      inner.lookAgain();
    }

    @Override
    public boolean isIndexed(String table) {
      return inner.isIndexed(table);
    }

    @Override
    public List<IndexRow> indexRows(
        Row row, List<CellWrite> cells, long version, ToLongFunction<String> epochs) {
      List<IndexRow> rows = inner.indexRows(row, cells, version, epochs);
      if (remade.compareAndSet(false, true)) {
        db.indexes().drop("cities");
        db.indexes().create("cities", "people", CITY.name(), Kind.GLOBAL, seen -> {});
      }
      return rows;
    }
  }

  private int indexRows() {
    int rows = 0;
    try (Snapshot now = db.snapshot()) {
      for (IndexRows.Part part : ((TableIndexes) db.indexes()).rows("cities").parts()) {
        try (RowCursor cursor = now.scan(part.scan(IndexKeys.range(null, null)))) {
          while (cursor.hasNext()) {
            cursor.next();
            rows++;
          }
        }
      }
    }
    return rows;
  }

  /** Does something before each timestamp. */
  private record Interrupted(TimestampOracle oracle, Runnable before) implements TimestampOracle {
    @Override
    public long next(int count) {
      before.run();
      return oracle.next(count);
    }

    @Override
    public long lastIssued() {
      return oracle.lastIssued();
    }
  }

  @ParameterizedTest
  @EnumSource
  void writersAndReadersGoOnMeanwhile(Way way) throws Exception {
    openFor(way);
    table(Protocol.PERCOLATOR, Kind.GLOBAL);
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService clients = Executors.newFixedThreadPool(2);
    try {
      Future<?> writer =
          clients.submit(
              () -> {
                Random random = new Random(7);
                while (!done.get()) {
                  put(random.nextInt(ROWS), "c" + random.nextInt(CITIES));
                }
              });
      Future<?> reader =
          clients.submit(
              () -> {
                while (!done.get()) {
                  requireEqual();
                }
              });
      loadBesideWriters(way);
      loadBesideWriters(way);
      done.set(true);
      writer.get();
      reader.get();
    } finally {
      done.set(true);
      clients.shutdown();
    }
    requireEqual();
  }

  @Test
  void attemptsOfAnEnginesTasksWriteIndexRows() throws IOException {
    openFor(Way.FILES);
    table(Protocol.PERCOLATOR, Kind.GLOBAL);
    EngineSnapshots load =
        EngineSnapshots.begin(db.loads(), "spark", "people", dir.resolve("load"), Conflicts.NEWER);
    Path files = EngineSnapshots.files(dir.resolve("load"));
    List<AttemptFiles.WrittenFiles> counted = new ArrayList<>();
    for (int attempt = 0; attempt < 2; attempt++) {
      try (AttemptFiles task = new AttemptFiles(db.loads(), files, "people", "a" + attempt, 0)) {
        for (int i = 0; i < ROWS; i++) {
          Bytes city = Bytes.of("c" + (i + attempt) % CITIES);
          task.put(row(i).key(), Map.of(CITY.name(), city));
        }
        AttemptFiles.WrittenFiles written = task.finish();
        if (attempt == 1) {
          counted.add(written);
        }
      }
    }
    assertThat(requireEqual()).isEqualTo(ROWS / 2);
    load.commit(counted);
    assertThat(requireEqual()).isEqualTo(ROWS);
  }

  /** A load leaves the index rows of what it replaced, and those of records that lost. */
  @ParameterizedTest
  @MethodSource("cases")
  void whatALoadLeftIsSwept(Protocol protocol, Kind kind, Way way) throws IOException {
    openFor(way);
    table(protocol, kind);
    LoadJob job = job(db.loads(), way);
    put(1, "c0");
    Snapshot before = db.snapshot();
    assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
    put(2, "c0");
    LoadJob open = job(db.loads(), way);
    int rows = requireEqual();
    assertThat(indexRows()).isGreaterThan(rows);
    db.loads().transactions().pin("before", before.timestamp());
    db.indexes().sweep("cities", Duration.ZERO);
    assertThat(requireEqual(before)).isEqualTo(ROWS / 2 + 1);
    before.close();
    db.loads().transactions().unpin("before");
    assertThat(db.indexes().sweep("cities", Duration.ZERO)).isPositive();
    assertThat(requireEqual()).isEqualTo(rows);
    assertThat(indexRows()).isEqualTo(rows);
    assertThat(db.indexes().sweep("cities", Duration.ZERO)).isZero();
    // What a load that goes on has written ahead stays.
    assertThat(open.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(requireEqual()).isEqualTo(rows);
  }

  /** What a load says of an index while its parts follow the tablets is not forgotten. */
  @Test
  void anIndexThatMovesStaysChecked() {
    table(Protocol.PERCOLATOR, Kind.LOCAL);
    db.store().splitTablet("people", row(ROWS / 4).key());
    AtomicBoolean loaded = new AtomicBoolean();
    db.indexes()
        .follow(
            "cities",
            moved -> {
              if (loaded.compareAndSet(false, true)) {
                try {
                  load(db.loads(), Way.STANDARD);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    assertThat(loaded).isTrue();
    assertThat(requireEqual()).isEqualTo(ROWS / 2 + ROWS / 3);
  }

  /** No index row is written, and those of what was there stay. */
  @ParameterizedTest
  @EnumSource(names = {"GLOBAL", "LOCAL"})
  void anIndexForgetsWhatOnlyDeletionsOfALoadTookAway(Kind kind) throws IOException {
    openFor(Way.FILES);
    table(Protocol.PERCOLATOR, kind);
    EngineSnapshots load =
        EngineSnapshots.begin(db.loads(), "spark", "people", dir.resolve("load"), Conflicts.NEWER);
    Path files = EngineSnapshots.files(dir.resolve("load"));
    try (AttemptFiles task = new AttemptFiles(db.loads(), files, "people", "a", 0)) {
      task.put(row(2).key(), Collections.singletonMap(CITY.name(), null));
      load.commit(List.of(task.finish()));
    }
    assertThat(requireEqual()).isEqualTo(ROWS / 2 - 1);
  }

  @Test
  void whatCannotBeKeptIsRefused() throws IOException {
    openFor(Way.FILES);
    table(Protocol.PERCOLATOR, Kind.GLOBAL);
    assertThatThrownBy(() -> db.loads().loadable().require("cities"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("load the table that it is of");
    assertThatThrownBy(
            () ->
                LoadJob.create(
                    db.loads(),
                    dir.resolve("jobs"),
                    "wins",
                    "people",
                    List.of(input()),
                    Mapping.ofFamily(List.of("id"), "f"),
                    Way.FILES.options.with(Conflicts.LOAD)))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--atomic");
    LoadJob files = job(db.loads(), Way.FILES);
    db.indexes().drop("cities");
    db.indexes().create("cities", "people", CITY.name(), Kind.LOCAL, seen -> {});
    assertThatThrownBy(() -> files.run(JobView.NONE))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("created after the load began");
    db.indexes().drop("cities");
    put(0, "only");
    assertThat(files.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
    db.ensureTable("mails", "f");
    db.indexes().create("mail", "mails", CITY.name(), Kind.UNIQUE, seen -> {});
    assertThatThrownBy(() -> db.loads().loadable().require("mails"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("unique");
  }
}
