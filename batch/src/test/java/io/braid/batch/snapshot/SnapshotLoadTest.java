package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.LoadContext;
import io.braid.batch.changes.ChangeLogs;
import io.braid.batch.input.RawRecord;
import io.braid.batch.job.Books;
import io.braid.batch.job.Duplicates;
import io.braid.batch.job.JobException;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.SinkRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads by files that the store takes over (section 5). Faults 43 to 46. */
class SnapshotLoadTest {
  private static final int KEYS = 300;
  private static final List<Algorithm> SNAPSHOTS =
      List.of(Algorithm.IMPORT_SORT, Algorithm.HADOOP_SORT, Algorithm.VANILLA_SORT);

  @TempDir Path dir;

  /** Which columns are observed: all of them. */
  private static final ChangeSink OBSERVED =
      new ChangeSink() {
        @Override
        public boolean isObserved(String table, ColumnName column) {
          return true;
        }

        @Override
        public void changed(Row row, ColumnName column, long start, long commit) {}
      };

  /** Dies at a call that changes something: before it, or after it. */
  private static final class Mortal extends ForwardingStore {
    final AtomicInteger calls = new AtomicInteger();
    volatile int last = Integer.MAX_VALUE;
    volatile boolean after;
    volatile Runnable atIngest = () -> {};
    final Set<Bytes> removed = new TreeSet<>();

    Mortal(CellStore store) {
      super(store);
    }

    private <T> T call(Supplier<T> call) {
      int n = calls.incrementAndGet();
      if (n > last || n == last && !after) {
        throw new StoreException("dead");
      }
      T answer = call.get();
      if (n == last) {
        throw new StoreException("dead");
      }
      return answer;
    }

    @Override
    public void veil(String table, long version, boolean wins) {
      call(
          () -> {
            super.veil(table, version, wins);
            return 0;
          });
    }

    @Override
    public void ingest(String table, String family, List<Path> files) {
      atIngest.run();
      call(
          () -> {
            super.ingest(table, family, files);
            return 0;
          });
    }

    @Override
    public Lift lift(
        String table, long version, long start, long epoch, String family, LiftCheck check) {
      return call(() -> super.lift(table, version, start, epoch, family, check));
    }

    @Override
    public boolean discard(String table, long version) {
      return call(() -> super.discard(table, version));
    }

    @Override
    public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
      for (RowWrite write : writes) {
        if (!write.removals().isEmpty()) {
          removed.add(write.row().key());
        }
      }
      return super.write(writes, durability);
    }
  }

  private static LoadOptions options(Algorithm algorithm, Conflicts conflicts) {
    LoadOptions o = Bench.OPTIONS;
    return new LoadOptions(
        3,
        2,
        16,
        2000,
        o.retries(),
        o.pauseMillis(),
        o.inputTries(),
        o.windowMillis(),
        o.leastSuccess(),
        o.rate(),
        conflicts,
        Duplicates.LAST,
        true,
        false,
        300,
        new SnapshotOptions(algorithm, 1500, 4000, 3));
  }

  private static LoadContext over(Bench bench, CellStore store) {
    LoadContext c = bench.context;
    return new LoadContext(
        store,
        c.transactions(),
        c.loadable(),
        c.oracle(),
        c.changes(),
        c.seams(),
        c.limits(),
        c.smallValueBytes());
  }

  private static String key(int i) {
    return String.format("k%02d%d", i % 100, i / 100);
  }

  /** Records in a mixed order; some keys come again with another value, which counts. */
  private Path input() throws IOException {
    StringBuilder text = new StringBuilder("id,x,y\n");
    for (int i = 0; i < KEYS; i++) {
      int k = i * 7 % KEYS;
      text.append(key(k)).append(k % 50 == 3 ? ",first,gone\n" : ",L" + k + "," + k + "\n");
    }
    for (int k = 3; k < KEYS; k += 50) {
      text.append(key(k)).append(",L" + k + ",\n");
    }
    text.append("large,").append("x".repeat(3000)).append(",\n");
    return Files.writeString(dir.resolve("in.csv"), text);
  }

  private static Map<String, String> expected() {
    Map<String, String> rows = new TreeMap<>();
    for (int k = 0; k < KEYS; k++) {
      rows.put(key(k), "x=L" + k + " y=" + (k % 50 == 3 ? "" : k));
    }
    rows.put("large", "x=" + "x".repeat(3000) + " y=");
    return rows;
  }

  private LoadJob job(LoadContext context, String id, LoadOptions options) throws IOException {
    return LoadJob.create(
        context, dir.resolve("jobs"), id, Bench.TABLE, List.of(input()), Bench.MAPPING, options);
  }

  private static void write(Bench bench, String key, String value) {
    try (Transaction tx = bench.transactions.begin()) {
      tx.set(Bench.row(key), Bench.column("x"), value);
      tx.commit();
    }
  }

  static Stream<Arguments> all() {
    return SNAPSHOTS.stream()
        .flatMap(each -> Stream.of(Arguments.of(each, false), Arguments.of(each, true)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void allIsVisibleAtOneTimestampAndWhatOthersWroteStays(Algorithm algorithm, boolean omid)
      throws IOException {
    for (Conflicts policy : List.of(Conflicts.NEWER, Conflicts.LOAD)) {
      try (Bench bench = new Bench(omid, OBSERVED)) {
        write(bench, key(1), "old");
        LoadJob job = job(bench.context, policy + "", options(algorithm, policy));
        write(bench, key(2), "mine");
        Snapshot before = bench.transactions.snapshot();

        JobReport report = job.run(JobView.NONE);

        assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
        assertThat(report.books()).isEqualTo(new Books(KEYS + 7, KEYS + 1, 0, 6, 0, 0));
        assertThat(before.get(Bench.row(key(3)), Bench.column("x"))).isEmpty();
        assertThat(before.get(Bench.row(key(2)), Bench.column("x"))).contains("mine");
        assertThat(before.get(Bench.row(key(1)), Bench.column("x"))).contains("old");
        before.close();
        Map<String, String> expected = expected();
        if (policy == Conflicts.NEWER) {
          expected.put(key(2), "x=mine y=2");
        }
        assertThat(bench.table()).isEqualTo(expected);
        long commit = Long.parseLong(report.state().message().replaceAll("\\D+", ""));
        try (Snapshot now = bench.transactions.snapshot()) {
          for (int i : List.of(1, 7, 200)) {
            assertThat(now.lastChanged(Bench.row(key(i)), Bench.column("x"))).hasValue(commit);
          }
        }
        assertThat(notifications(bench, key(7))).containsExactly("f:x@" + commit, "f:y@" + commit);
        ImportReport imports = report.imports().orElseThrow();
        assertThat(imports.snapshots()).isGreaterThan(8);
        if (algorithm == Algorithm.IMPORT_SORT) {
          assertThat(imports.imports()).isEqualTo(imports.snapshots());
        } else if (algorithm == Algorithm.HADOOP_SORT) {
          assertThat(imports.imports()).isEqualTo(4);
        }
        assertThat(dir.resolve("jobs/" + policy + "/round-0/snapshots")).doesNotExist();
      }
    }
  }

  private static List<String> notifications(Bench bench, String key) {
    return bench
        .memory
        .read(RowRead.of(Bench.row(key), Selection.family(Families.NOTIFY)))
        .cells()
        .stream()
        .map(cell -> cell.column().qualifier().toUtf8() + "@" + cell.version())
        .toList();
  }

  /** Fault 44: whatever step dies, all or nothing is visible, and the job can be gone on with. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"IMPORT_SORT", "HADOOP_SORT", "VANILLA_SORT"})
  void aLoadThatDiesAnywhereIsTakenToItsEnd(Algorithm algorithm) throws IOException {
    boolean alive = false;
    for (int dead = 1; !alive; dead += dead < 4 ? 1 : 5) {
      try (Bench bench = new Bench(dead % 2 == 0, OBSERVED)) {
        Mortal mortal = new Mortal(bench.memory);
        mortal.last = dead;
        mortal.after = dead % 3 == 0;
        LoadJob job = job(over(bench, mortal), "j" + dead, options(algorithm, Conflicts.NEWER));
        write(bench, key(2), "mine");
        try {
          alive = job.run(JobView.NONE).state().phase() == JobState.Phase.DONE;
        } catch (StoreException | JobException e) {
          assertThat(bench.table()).as("dead at %d", dead).hasSizeBetween(1, KEYS + 1);
          assertThat(bench.table().size()).isIn(1, KEYS + 1);
        }
        Map<String, String> expected = expected();
        expected.put(key(2), "x=mine y=2");
        if (!alive) {
          LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j" + dead);
          JobReport report = again.run(JobView.NONE);
          assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
          assertThat(report.books()).isEqualTo(new Books(KEYS + 7, KEYS + 1, 0, 6, 0, 0));
        }
        assertThat(bench.table()).as("dead at %d", dead).isEqualTo(expected);
      }
    }
  }

  /** A region that moves while a veil is lifted: the answer is lost, whether or not it was done. */
  @Test
  void aLiftWhoseAnswerIsLostIsAskedForAgain() throws IOException {
    for (boolean done : List.of(false, true)) {
      try (Bench bench = new Bench(false, OBSERVED)) {
        AtomicInteger lifts = new AtomicInteger();
        CellStore moving =
            new ForwardingStore(bench.memory) {
              @Override
              public Lift lift(
                  String table,
                  long version,
                  long start,
                  long epoch,
                  String family,
                  LiftCheck check) {
                if (lifts.incrementAndGet() < 3) {
                  if (done) {
                    super.lift(table, version, start, epoch, family, check);
                  }
                  throw new TabletUnavailableException("moved, on purpose");
                }
                return super.lift(table, version, start, epoch, family, check);
              }
            };
        LoadJob job =
            job(over(bench, moving), "j" + done, options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
        assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
        assertThat(bench.table()).isEqualTo(expected());
      }
    }
  }

  /** Fault 44: whoever is interrupted while imports are under way does not commit the load. */
  @Test
  void aJobThatIsInterruptedWhileItImportsCommitsNothing() throws Exception {
    try (Bench bench = new Bench(false, OBSERVED)) {
      CountDownLatch reached = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      Mortal mortal = new Mortal(bench.memory);
      mortal.atIngest =
          () -> {
            reached.countDown();
            try {
              ended.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          };
      LoadJob job = job(over(bench, mortal), "j", options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
      AtomicReference<Throwable> broken = new AtomicReference<>();
      Thread worker =
          new Thread(
              () -> {
                try {
                  job.run(JobView.NONE);
                } catch (IOException | RuntimeException e) {
                  broken.set(e);
                }
              });
      worker.start();
      reached.await();
      worker.interrupt();
      worker.join();
      assertThat(broken.get()).hasMessageContaining("interrupted");
      assertThat(bench.table()).isEmpty();
      ended.countDown();
      mortal.atIngest = () -> {};
      assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(bench.table()).isEqualTo(expected());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"IMPORT_SORT", "HADOOP_SORT", "VANILLA_SORT"})
  void aCancelledLoadIsNeverSeenAndItsSpaceIsReclaimed(Algorithm algorithm) throws IOException {
    try (Bench bench = new Bench(false, OBSERVED)) {
      Mortal mortal = new Mortal(bench.memory);
      mortal.last = 6;
      LoadJob job = job(over(bench, mortal), "j", options(algorithm, Conflicts.NEWER));
      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
      mortal.last = Integer.MAX_VALUE;

      job.cancel();

      assertThat(job.directory().state().phase()).isEqualTo(JobState.Phase.CANCELLED);
      assertThat(bench.table()).isEmpty();
      assertThat(mortal.removed).isNotEmpty();
      assertThatThrownBy(
              () ->
                  bench.memory.lift(
                      Bench.TABLE,
                      job.spec().start(),
                      bench.oracle.next(),
                      bench.memory.epoch(Bench.TABLE),
                      Families.INTENT,
                      (row, veiled) -> false))
          .isInstanceOf(StoreException.class);
    }
  }

  /** Fault 45. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void aTransactionFromBeforeTheCommitConflicts(boolean omid) throws IOException {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      LoadJob job = job(bench.context, "j", options(Algorithm.VANILLA_SORT, Conflicts.NEWER));
      Transaction tx = bench.transactions.begin();
      assertThat(tx.get(Bench.row(key(1)), Bench.column("x"))).isEmpty();
      tx.set(Bench.row(key(1)), Bench.column("x"), "read nothing");
      job.run(JobView.NONE);
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      assertThat(bench.table()).isEqualTo(expected());
    }
  }

  /** Fault 45: what is being written, or owned by a key group, is in the way of the commit. */
  @Test
  void aHoldOrAnUndecidedIntentIsInTheWayOfTheCommit() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      LoadJob job = job(bench.context, "j", options(Algorithm.VANILLA_SORT, Conflicts.NEWER));
      Row row = Bench.row(key(5));
      Bytes hold = new Hold("g", 1, 1, Bench.row("leader")).encode();
      assertThat(put(bench, row, Families.hold(), 1, hold)).isTrue();
      // Elsewhere, nothing is in the way.
      put(bench, Bench.row("elsewhere"), Families.hold(), 1, hold);

      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("t/" + key(5));
      assertThat(bench.table()).isEmpty();

      bench.memory.write(List.of(RowWrite.remove(row, Families.hold(), 1)), Durability.SYNCED);
      assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(bench.table()).isEqualTo(expected());
    }
  }

  private static boolean put(Bench bench, Row row, ColumnName column, long version, Bytes value) {
    return bench
            .memory
            .write(List.of(RowWrite.put(row, new Cell(column, version, value))), Durability.SYNCED)
            .get(0)
        instanceof Outcome.Done<Void>;
  }

  /** Fault 46: nothing of a damaged snapshot gets into the store. */
  @Test
  void aDamagedSnapshotIsRefusedBeforeAnythingOfItIsImported() throws IOException {
    for (int damage = 0; damage < 4; damage++) {
      try (Bench bench = new Bench(false, ChangeSink.NONE)) {
        Mortal mortal = new Mortal(bench.memory);
        mortal.last = 2;
        LoadJob job =
            job(over(bench, mortal), "j" + damage, options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
        assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
        Path snapshots = dir.resolve("jobs/j" + damage + "/round-0/snapshots");
        Path victim;
        try (Stream<Path> all = Files.list(snapshots)) {
          victim = all.filter(file -> file.toString().endsWith(".snap")).sorted().toList().get(1);
        }
        byte[] whole = Files.readAllBytes(victim);
        switch (damage) {
          case 0 -> Files.delete(victim);
          case 1 -> Files.write(victim, java.util.Arrays.copyOf(whole, whole.length / 2));
          case 2 -> Files.write(victim, new byte[0]);
          default -> {
            whole[whole.length / 2] ^= 4;
            Files.write(victim, whole);
          }
        }
        LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j" + damage);
        assertThatThrownBy(() -> again.run(JobView.NONE)).isInstanceOf(JobException.class);
        assertThat(bench.table()).isEmpty();
        again.cancel();
        assertThat(bench.table()).isEmpty();
      }
    }
  }

  @Test
  void tabletsThatSplitMeanwhileLoseNothing() throws IOException {
    for (Algorithm algorithm : SNAPSHOTS) {
      try (Bench bench = new Bench(false, ChangeSink.NONE)) {
        Mortal mortal = new Mortal(bench.memory);
        AtomicInteger splits = new AtomicInteger();
        mortal.atIngest =
            () ->
                bench.memory.splitTablet(
                    Bench.TABLE, Bytes.of(key(splits.incrementAndGet() * 13 % KEYS)));
        LoadJob job =
            job(over(bench, mortal), algorithm.text(), options(algorithm, Conflicts.NEWER));
        assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
        assertThat(bench.table()).isEqualTo(expected());
      }
    }
  }

  /** Fault 43: equal keys are imported together, however the tablets were when each task began. */
  @Test
  void tabletsThatSplitBetweenTasksDoNotPartEqualKeys() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      AtomicInteger asked = new AtomicInteger();
      CellStore splitting =
          new ForwardingStore(bench.memory) {
            @Override
            public List<Tablet> tablets(String table) {
              int n = asked.incrementAndGet();
              bench.memory.splitTablet(Bench.TABLE, Bytes.of(key(n * 13 % KEYS)));
              return super.tablets(table);
            }
          };
      LoadJob job =
          job(over(bench, splitting), "j", options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
      JobReport report = job.run(JobView.NONE);
      assertThat(report.books()).isEqualTo(new Books(KEYS + 7, KEYS + 1, 0, 6, 0, 0));
      assertThat(bench.table()).isEqualTo(expected());
    }
  }

  /** Fault 43: an earlier record that was mended would come on top of a later one. */
  @Test
  void aRetryBehindTheHadoopSortIsRefused() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("n.jsonl"),
            "{\"id\":\"k1\",\"n\":\"five\"}\n{\"id\":\"k1\",\"n\":\"5\"}\n");
    Mapping wrong =
        new Mapping(
            List.of("id"), "/", Map.of("n", new Mapping.Target("f:n", FieldType.INT64)), null);
    for (Algorithm algorithm : SNAPSHOTS) {
      try (Bench bench = new Bench(false, ChangeSink.NONE)) {
        LoadJob job =
            LoadJob.create(
                bench.context,
                dir.resolve("jobs"),
                algorithm.text(),
                Bench.TABLE,
                List.of(file),
                wrong,
                options(algorithm, Conflicts.NEWER));
        JobReport report = job.run(JobView.NONE);
        if (algorithm == Algorithm.HADOOP_SORT) {
          assertThat(report.books().rejected()).isEqualTo(1);
          LoadJob mended = job.with(Bench.MAPPING);
          assertThatThrownBy(() -> mended.retry(JobView.NONE))
              .isInstanceOf(JobException.class)
              .hasMessageContaining("braid job commit");
          job.commit();
        } else {
          assertThat(report.books().duplicates()).isEqualTo(1);
        }
        assertThat(bench.table()).hasSize(1).doesNotContainValue("n=five");
      }
    }
  }

  /** Faults 44 and 61: what tasks that are done have written is known, or the job says so. */
  @Test
  void aTornLogOfSnapshotsLosesNoTask() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      Mortal mortal = new Mortal(bench.memory);
      mortal.last = 2;
      LoadJob job = job(over(bench, mortal), "j", options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
      Path round = Files.createDirectories(dir.resolve("jobs/j/round-0"));
      Files.writeString(round.resolve("snapshots.jsonl"), "{\"task\":1,\"snap");
      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
      mortal.last = Integer.MAX_VALUE;
      String log = Files.readString(round.resolve("snapshots.jsonl"));
      Files.writeString(
          round.resolve("snapshots.jsonl"), log.substring(0, log.trim().lastIndexOf('\n') + 1));
      assertThatThrownBy(() -> job.run(JobView.NONE))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("does not tell what tasks that are done have written");
      Files.writeString(round.resolve("snapshots.jsonl"), log);
      Files.writeString(round.resolve("imported.jsonl"), "{\"snapsh");
      assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(bench.table()).isEqualTo(expected());
    }
  }

  /** A feed keeps a load by files from being written and from committing, not from being ended. */
  @Test
  void aLoadCanBeCancelledThoughTheTableHasAFeed() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      Mortal mortal = new Mortal(bench.memory);
      mortal.last = 6;
      LoadJob job = job(over(bench, mortal), "j", options(Algorithm.IMPORT_SORT, Conflicts.NEWER));
      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
      mortal.last = Integer.MAX_VALUE;
      ChangeLogs logs = new ChangeLogs(bench.context);
      logs.close();
      logs.keep(Bench.TABLE, Duration.ofDays(1));
      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("are kept");
      job.cancel();
      assertThat(job.directory().state().phase()).isEqualTo(JobState.Phase.CANCELLED);
      assertThat(bench.table()).isEmpty();
      assertThat(bench.transactions.pins()).isEmpty();
    }
  }

  /** The memory of a load does not grow with its tasks. */
  @Test
  void aTaskForgetsTheRecordsThatItHasSent() throws Exception {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      SnapshotImport load =
          new SnapshotImport(
              bench.context,
              Files.createDirectories(dir.resolve("round")),
              Bench.TABLE,
              1,
              new SnapshotOptions(Algorithm.HADOOP_SORT, 100, 1000, 1),
              Set.of());
      RecordWriter writer = load.writer(1, 0);
      List<WeakReference<Bytes>> keys = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Bytes key = Bytes.of(key(i));
        keys.add(new WeakReference<>(key));
        CellWrite cell =
            new CellWrite(
                Bench.column("x").name(), Intent.Kind.PUT, Bytes.of("x".repeat(200)), false);
        writer.write(
            List.of(
                new SinkRecord(
                    new RawRecord(i, Bytes.EMPTY), new Row(Bench.TABLE, key), List.of(cell))));
      }
      for (int n = 0; n < 100 && keys.stream().anyMatch(key -> key.get() != null); n++) {
        System.gc();
        Thread.sleep(20);
      }
      assertThat(keys).allMatch(key -> key.get() == null);
      writer.finish();
      load.abandon();
    }
  }

  @Test
  void whatDoesNotFitTogetherIsRefusedAtOnce() {
    assertThatThrownBy(() -> options(Algorithm.VANILLA_SORT, Conflicts.FAIL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--algorithm standard");
    assertThatThrownBy(() -> Algorithm.of("quick-sort"))
        .hasMessageContaining("import-sort, hadoop-sort, vanilla-sort");
    try (Bench bench = new Bench()) {
      CellStore thin =
          new ForwardingStore(bench.memory) {
            @Override
            public boolean hasVeils() {
              return false;
            }
          };
      assertThatThrownBy(
              () -> job(over(bench, thin), "j", options(Algorithm.IMPORT_SORT, Conflicts.NEWER)))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("--algorithm standard");
    }
  }

  @Test
  void autoPredictsChoosesAndLearns() throws IOException {
    try (Bench bench = new Bench()) {
      LoadJob job = job(bench.context, "j", options(Algorithm.AUTO, Conflicts.NEWER));
      assertThat(job.spec().options().snapshot().algorithm()).isEqualTo(Algorithm.STANDARD);
      JobReport report = job.run(JobView.NONE);
      assertThat(report.timing().orElseThrow().seconds()).isPositive();
      assertThat(report.timing().orElseThrow().predicted()).hasSize(4);
      assertThat(Files.readString(dir.resolve("jobs/outcomes.jsonl"))).contains("standard");

      Outcomes outcomes = new Outcomes(dir.resolve("none"));
      assertThat(new Prediction(10_000_000, 1L << 30, true, true, outcomes).fastest())
          .isEqualTo(Algorithm.HADOOP_SORT);
      assertThat(new Prediction(10_000_000, 1L << 30, false, true, outcomes).fastest())
          .isEqualTo(Algorithm.STANDARD);
      Outcomes slow = new Outcomes(dir.resolve("slow"));
      Files.createDirectories(dir.resolve("slow"));
      slow.add(Algorithm.HADOOP_SORT, 1_000_000, 1 << 20, 1000);
      assertThat(new Prediction(10_000_000, 1L << 30, true, true, slow).fastest())
          .isEqualTo(Algorithm.VANILLA_SORT);
    }
  }

  @Test
  void snapshotsAreNamedByTableTabletTaskAndNumber() {
    assertThat(
            SnapshotName.of(
                    "foods",
                    new io.braid.core.data.KeyRange(Bytes.of("apple"), Bytes.of("banana")),
                    3,
                    20)
                .file())
        .isEqualTo("foods.apple:banana.m3.20.snap");
    String odd =
        SnapshotName.of("t", new io.braid.core.data.KeyRange(Bytes.ofInts(0, '/', 'a'), null), 1, 2)
            .file();
    assertThat(odd).isEqualTo("t.%00%2Fa:MAXKEY.m1.2.snap");
    assertThat(SnapshotName.parse(odd).orElseThrow().task()).isEqualTo(1);
  }
}
