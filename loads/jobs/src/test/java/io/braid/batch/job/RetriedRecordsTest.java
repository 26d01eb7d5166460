package io.braid.batch.job;

import static io.braid.batch.Bench.loads;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.Bench;
import io.braid.batch.Bench.Troubled.Fate;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.SuccessWindow;
import io.braid.batch.snapshot.SnapshotOptions;
import io.braid.testkit.hostile.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a load left is gone through once more, together with what can never be written. */
class RetriedRecordsTest {
  private static final int WRONG = 3 * SuccessWindow.SAMPLE;
  private static final int LEFT = 20;

  @TempDir Path dir;
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** First very many that are wrong for good, then some that the store did not take. */
  private LoadJob job() throws IOException {
    StringBuilder text = new StringBuilder("id,a,b\n");
    text.append("wrong\n".repeat(WRONG));
    for (int i = 0; i < 10 * WRONG; i++) {
      text.append(String.format("k%05d,a,b\n", i));
    }
    LoadOptions options =
        new LoadOptions(
            1,
            1,
            16,
            1 << 20,
            1,
            1,
            1,
            60_000,
            0,
            "none",
            Conflicts.NEWER,
            Duplicates.LAST,
            true,
            false,
            2000,
            SnapshotOptions.DEFAULT);
    Path file = Files.writeString(dir.resolve("in.csv"), text);
    Path jobs = dir.resolve("jobs");
    return LoadJob.create(
        bench.context, jobs, "j", Bench.TABLE, List.of(file), Bench.MAPPING, options);
  }

  private void refuses(IntPredicate number) {
    bench.store.fate = call -> loads(call) && number.test(number(call)) ? Fate.REFUSED : Fate.PASS;
  }

  private static int number(Call<?> call) {
    return Integer.parseInt(call.rows().get(0).key().toUtf8().substring(1));
  }

  /** Of a load whose tasks end early when fewer than nine of ten records succeed. */
  private void lessPatient() throws IOException {
    Path spec = dir.resolve("jobs/j/job.json");
    String text = Files.readString(spec);
    String patient = text.replaceFirst("\"leastSuccess\" ?: ?0(\\.0)?", "\"leastSuccess\":0.9");
    assertThat(patient).isNotEqualTo(text);
    Files.writeString(spec, patient);
  }

  @Test
  void thoseThatCanNeverBeWrittenDoNotKeepTheOthersFromBeingTriedAgain() throws IOException {
    LoadJob job = job();
    refuses(number -> number < LEFT);
    RecordCounts first = job.run(JobView.NONE).counts();
    assertThat(first.left()).isEqualTo(LEFT);
    assertThat(first.rejected()).isEqualTo(WRONG);
    lessPatient();
    LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j");

    refuses(number -> false);
    JobReport report = again.retry(JobView.NONE);

    assertThat(report.shortCircuits()).isEmpty();
    assertThat(report.counts().left()).isZero();
    assertThat(report.counts().rejected()).isEqualTo(WRONG);
    assertThat(report.counts().balanced()).isTrue();
    assertThat(bench.table()).hasSize(10 * WRONG);
  }

  @Test
  void whatWasNotComeToStaysLeft() {
    RecordCounts before = new RecordCounts(1000, 800, 0, 0, 150, 50);

    assertThat(before.then(RecordCounts.EMPTY, false)).isEqualTo(before);
    assertThat(before.then(new RecordCounts(100, 20, 0, 0, 80, 0), false))
        .isEqualTo(new RecordCounts(1000, 820, 0, 0, 150, 30));
    assertThat(before.then(new RecordCounts(200, 50, 0, 0, 150, 0), true))
        .isEqualTo(new RecordCounts(1000, 850, 0, 0, 150, 0));
    assertThat(before.then(new RecordCounts(60, 50, 0, 0, 10, 0), true))
        .as("some had no line that could be tried again")
        .isEqualTo(new RecordCounts(1000, 850, 0, 0, 150, 0));
  }
}
