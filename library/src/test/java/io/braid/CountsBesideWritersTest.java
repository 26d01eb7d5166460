package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads on disk while others write the same rows: the record counts tell exactly whose stay. */
class CountsBesideWritersTest {
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  private static final Column<String> Y = Column.of("f", "y", Codecs.utf8());
  private static final int ROWS = 4000;
  private static final int WRITERS = 2;

  @TempDir Path dir;

  static Stream<Arguments> ways() {
    return Stream.of(
            Algorithm.STANDARD,
            Algorithm.IMPORT_SORT,
            Algorithm.HADOOP_SORT,
            Algorithm.VANILLA_SORT)
        .flatMap(each -> Stream.of(Arguments.of(each, false), Arguments.of(each, true)));
  }

  /**
   * @param reopened whether the store has forgotten, when the load commits, what was written
   */
  @ParameterizedTest
  @MethodSource("ways")
  void theRecordCountsTellWhoseRowsStay(Algorithm algorithm, boolean reopened) throws Exception {
    Path file = dir.resolve("in.csv");
    StringBuilder text = new StringBuilder("id,x,y\n");
    for (int i = 0; i < ROWS; i++) {
      text.append(key(i)).append(",loaded,loaded\n");
    }
    Files.writeString(file, text);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(7));
    List<Integer> early = order.subList(0, 200);
    List<Integer> beside = order.subList(200, ROWS);
    Braid db = Braid.open(dir.resolve("db"));
    db.ensureTable("t", "f");
    early.subList(0, 100).forEach(each -> write(db, each));
    LoadOptions options =
        algorithm == Algorithm.STANDARD
            ? LoadOptions.DEFAULT.atomically()
            : LoadOptions.DEFAULT.by(algorithm);
    LoadJob made =
        LoadJob.create(
            db.loads(),
            dir.resolve("jobs"),
            "j",
            "t",
            List.of(file),
            Mapping.ofFamily(List.of("id"), "f"),
            options.with(Conflicts.NEWER));
    early.subList(100, 200).forEach(each -> write(db, each));
    if (!reopened) {
      try (db) {
        run(db, made, beside);
      }
      return;
    }
    db.close();
    try (Braid again = Braid.open(dir.resolve("db"))) {
      run(again, LoadJob.open(again.loads(), dir.resolve("jobs"), "j"), beside);
    }
  }

  private static void run(Braid db, LoadJob job, List<Integer> beside) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    JobReport report;
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        int first = w;
        all.add(
            writers.submit(
                () -> {
                  for (int i = first; i < beside.size() && !ended.get(); i += WRITERS) {
                    write(db, beside.get(i));
                  }
                }));
      }
      report = job.run(JobView.NONE);
      ended.set(true);
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      writers.shutdownNow();
    }
    long commit = Long.parseLong(report.state().message().replaceAll("\\D+", ""));
    long kept = 0;
    try (Snapshot now = db.snapshot()) {
      for (int i = 0; i < ROWS; i++) {
        long version = now.lastChanged(row(i), X).orElseThrow();
        kept += version > job.spec().start() && version < commit ? 1 : 0;
        String x = now.get(row(i), X).orElseThrow();
        assertThat(x.equals("loaded")).isEqualTo(version == commit);
      }
    }
    assertThat(kept).isGreaterThanOrEqualTo(100);
    assertThat(report.counts()).isEqualTo(new RecordCounts(ROWS, ROWS - kept, kept, 0, 0, 0));
  }

  private static void write(Braid db, int i) {
    db.run(
        tx -> {
          tx.set(row(i), X, "mine");
          tx.set(row(i), Y, "mine");
          return 0;
        });
  }

  private static String key(int i) {
    return String.format("k%05d", i);
  }

  private static Row row(int i) {
    return Row.of("t", key(i));
  }
}
