package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.braid.batch.Bench;
import io.braid.batch.JobException;
import io.braid.batch.input.RawRecord;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.job.Timing;
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
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.Tablet;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads by files that the store takes over (section 5). Faults 43 and 45. */
class SnapshotLoadTest extends SnapshotLoads {
  private static final List<Algorithm> SNAPSHOTS =
      List.of(Algorithm.IMPORT_SORT, Algorithm.HADOOP_SORT, Algorithm.VANILLA_SORT);

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
        assertThat(report.counts()).isEqualTo(new RecordCounts(KEYS + 7, KEYS + 1, 0, 6, 0, 0));
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
      assertThat(report.counts()).isEqualTo(new RecordCounts(KEYS + 7, KEYS + 1, 0, 6, 0, 0));
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
          assertThat(report.counts().rejected()).isEqualTo(1);
          LoadJob mended = job.with(Bench.MAPPING);
          assertThatThrownBy(() -> mended.retry(JobView.NONE))
              .isInstanceOf(JobException.class)
              .hasMessageContaining("braid job commit");
          job.commit();
        } else {
          assertThat(report.counts().duplicates()).isEqualTo(1);
        }
        assertThat(bench.table()).hasSize(1).doesNotContainValue("n=five");
      }
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
      bench.keepChanges();
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
              Set.of(),
              0);
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

  /** Nothing is known of how long calls of this test's store take, as of one behind a network. */
  @Test
  void autoChoosesAndLearns() throws IOException {
    try (Bench bench = new Bench()) {
      LoadJob first = job(bench.context, "j", options(Algorithm.AUTO, Conflicts.NEWER));
      assertThat(first.spec().options().snapshot().algorithm()).isEqualTo(Algorithm.STANDARD);
      JobReport report = first.run(JobView.NONE);
      Timing took = report.timing().orElseThrow();
      assertThat(took.seconds()).isPositive();
      assertThat(took.predicted()).isEmpty();
      LoadJob second = job(bench.context, "k", options(Algorithm.AUTO, Conflicts.NEWER));
      double predicted = second.directory().report().timing().orElseThrow().predictedSeconds();
      // What is learnt ends a moment after what is reported.
      assertThat(predicted).isCloseTo(took.seconds(), within(0.5));
    }
  }

  /** Imports at the end are work like any other: a job that does them says so, and how long yet. */
  @Test
  void progressGoesOnWhileFilesAreImported() throws IOException {
    try (Bench bench = new Bench()) {
      Mortal slow = new Mortal(bench.memory);
      slow.atIngest =
          () -> {
            try {
              Thread.sleep(150);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          };
      List<JobView.Progress> seen = new CopyOnWriteArrayList<>();
      LoadJob job = job(over(bench, slow), "j", options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
      JobReport report = job.run(seen::add);
      assertThat(seen)
          .filteredOn(each -> each.phase().equals("load") && each.done() > 0)
          .isNotEmpty()
          .allMatch(each -> each.after() > 0 && each.secondsLeft() >= each.after());
      assertThat(seen)
          .filteredOn(each -> each.phase().equals(JobView.IMPORT))
          .isNotEmpty()
          .allMatch(each -> each.records() == KEYS + 7 && each.secondsLeft() >= 0);
      Timing took = report.timing().orElseThrow();
      assertThat(took.after()).isBetween(0.15, took.seconds());
    }
  }

  /** It would bring back what was deleted since, and whose deletion is forgotten. */
  @ParameterizedTest
  @MethodSource("all")
  void aLoadThatBeganBelowTheLowWatermarkIsRefused(Algorithm algorithm, boolean omid)
      throws IOException {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      LoadJob job = job(bench.context, "j", options(algorithm, Conflicts.NEWER));
      bench.memory.raiseWatermark(bench.context.oracle().next());
      assertThatThrownBy(() -> job.run(JobView.NONE))
          .hasMessageContaining("began below the low watermark: make another job");
      assertThat(bench.table()).isEmpty();
      job.cancel();
    }
  }

  /** Only what was predicted and what came out stand there. */
  @Test
  void aDamagedTimingIsInNobodysWay() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      LoadJob job = job(bench.context, "j", options(Algorithm.IMPORT_SORT, Conflicts.NEWER));
      Path timing = dir.resolve("jobs/j/timing.json");
      assertThat(timing).exists();
      Files.writeString(timing, "{\"algori");
      assertThat(job.directory().report().timing()).isEmpty();
      assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
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
