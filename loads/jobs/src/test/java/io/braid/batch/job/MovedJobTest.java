package io.braid.batch.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.Bench.Troubled.Fate;
import io.braid.batch.JobException;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.rows.LoadRow;
import io.braid.batch.snapshot.Algorithm;
import io.braid.batch.snapshot.SnapshotOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault 42: the directory of a job holds all that is needed to go on with it elsewhere, where its
 * place has another name.
 */
class MovedJobTest {
  private static final int RECORDS = 600;

  @TempDir Path dir;

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static LoadOptions options(Duplicates duplicates, Algorithm algorithm) {
    LoadOptions plain =
        Bench.options(
            1,
            Bench.OPTIONS.taskBytes(),
            Conflicts.NEWER,
            Duplicates.LAST,
            new SnapshotOptions(algorithm, 1500, 4000, 1));
    return duplicates == Duplicates.REDUCE ? plain.reducedBy("v=last") : plain;
  }

  private LoadJob job(LoadOptions options) throws IOException {
    StringBuilder text = new StringBuilder("id,v\n");
    for (int i = 0; i < RECORDS; i++) {
      text.append(String.format("k%05d,v%d\n", i, i));
    }
    return LoadJob.create(
        bench.context,
        dir.resolve("here"),
        "j",
        Bench.TABLE,
        List.of(Files.writeString(dir.resolve("in.csv"), text)),
        Bench.MAPPING,
        options);
  }

  /** Fault 87: what a job has done stands in its own database. */
  @Test
  void goesOnInNoOtherDatabase() throws IOException {
    job(options(Duplicates.LAST, Algorithm.STANDARD));
    try (Bench other = new Bench()) {
      assertThatThrownBy(() -> LoadJob.open(other.context, dir.resolve("here"), "j"))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("another database");
    }
    assertThat(LoadJob.open(bench.context, dir.resolve("here"), "j").spec().id()).isEqualTo("j");
  }

  private LoadJob moved() throws IOException {
    bench.store.fate = call -> Fate.PASS;
    Files.move(dir.resolve("here"), dir.resolve("there"));
    return LoadJob.open(bench.context, dir.resolve("there"), "j");
  }

  /** The process dies with some of its tasks done. */
  private void dieAfter(int calls) {
    AtomicInteger left = new AtomicInteger(calls);
    bench.store.fate =
        call -> {
          if (left.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("dead, on purpose");
          }
          return Fate.PASS;
        };
  }

  @ParameterizedTest
  @EnumSource(
      value = Duplicates.class,
      names = {"LAST", "REDUCE"})
  void aJobIsGoneOnWithWhereItsDirectoryIsNow(Duplicates duplicates) throws IOException {
    LoadJob job = job(options(duplicates, Algorithm.STANDARD));
    dieAfter(300);
    assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("dead");
    JobReport report = moved().run(JobView.NONE);
    assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(bench.table()).hasSize(RECORDS);
  }

  /** What is tried again stands in the directory itself. */
  @ParameterizedTest
  @EnumSource(
      value = Duplicates.class,
      names = {"LAST", "REDUCE"})
  void aRetryIsGoneOnWithToo(Duplicates duplicates) throws IOException {
    LoadJob job = job(options(duplicates, Algorithm.STANDARD));
    bench.store.fate =
        call ->
            call.name().equals(LoadRow.INSTANCE.name())
                    && call.rows().get(0).key().toUtf8().endsWith("07")
                ? Fate.REFUSED
                : Fate.PASS;
    assertThat(job.run(JobView.NONE).counts().left()).isEqualTo(RECORDS / 100);
    dieAfter(2);
    assertThatThrownBy(() -> job.retry(JobView.NONE)).hasMessageContaining("dead");
    assertThat(job.directory().state().round()).isEqualTo(1);
    assertThat(moved().run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(bench.table()).hasSize(RECORDS);
  }

  /** Snapshots that wait for their import move with the job. */
  @Test
  void snapshotsAreImportedFromWhereTheyAreNow() throws IOException {
    LoadJob job = job(options(Duplicates.LAST, Algorithm.HADOOP_SORT));
    Path snapshots = dir.resolve("here/j/round-0/snapshots");
    JobView dying =
        progress -> {
          if (progress.tasksDone() > 2) {
            throw new IllegalStateException("dead");
          }
        };
    assertThatThrownBy(() -> job.run(dying)).hasMessageContaining("dead");
    try (var files = Files.list(snapshots)) {
      assertThat(files).isNotEmpty();
    }
    assertThat(moved().run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(bench.table()).hasSize(RECORDS);
  }
}
