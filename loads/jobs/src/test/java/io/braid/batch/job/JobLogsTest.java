package io.braid.batch.job;

import static io.braid.batch.Bench.interrupted;
import static io.braid.batch.Bench.loads;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.Bench.Troubled.Fate;
import io.braid.batch.JobException;
import io.braid.batch.input.Compression;
import io.braid.batch.log.JobFiles;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.snapshot.SnapshotOptions;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.hostile.Call;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job notes of its attempts, and how its logs are read. */
class JobLogsTest {
  private static final int RECORDS = 1600;
  private static final String HEADER = "id,a,b\n";

  @TempDir Path dir;
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static String line(int i) {
    return String.format("k%05d,a%04d,b%04d\n", i, i, i);
  }

  /** Every hundredth record is wrong. */
  private LoadJob job(LoadOptions options) throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < RECORDS; i++) {
      text.append(i % 100 == 50 ? String.format("poison-%05d-wrong\n", i) : line(i));
    }
    return job(Files.writeString(dir.resolve("in.csv"), text), Bench.MAPPING, options);
  }

  private LoadJob job(Path file, Mapping mapping, LoadOptions options) throws IOException {
    return LoadJob.create(
        bench.context, dir.resolve("jobs"), "j", Bench.TABLE, List.of(file), mapping, options);
  }

  private static int number(Call<?> call) {
    return Integer.parseInt(call.rows().get(0).key().toUtf8().substring(1));
  }

  private static JobLogs.Part part(int round, int attempt, Optional<String> after, int most) {
    return new JobLogs.Part(Optional.of(round), Optional.of(attempt), after, most);
  }

  private static JobLogs.Part newest(int most) {
    return new JobLogs.Part(Optional.empty(), Optional.empty(), Optional.empty(), most);
  }

  private static List<Long> offsets(JobLogs logs, int round, int attempt, int most)
      throws IOException {
    List<Long> offsets = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      JobLogs.Page<FailureEntry> page = logs.detailed(part(round, attempt, after, most));
      assertThat(page.entries().size()).isLessThanOrEqualTo(most);
      page.entries().forEach(each -> offsets.add(each.offset()));
      after = page.next();
    } while (after.isPresent());
    return offsets;
  }

  @Test
  void everyAttemptTellsWhenItRanWhatItDidAndWhyItEnded() throws IOException {
    bench.store.fate = call -> loads(call) && number(call) >= 1000 ? Fate.REFUSED : Fate.PASS;
    LoadJob job = job(Bench.OPTIONS);
    job.run(JobView.NONE);
    bench.store.fate = call -> Fate.PASS;
    job.run(JobView.NONE);
    job.retry(JobView.NONE);

    JobLogs logs = job.directory().logs();
    List<AttemptReport> all = logs.attempts(Optional.empty(), 10);
    assertThat(all).extracting(AttemptReport::name).containsExactly("1.1", "0.2", "0.1");
    AttemptReport first = all.get(2);
    assertThat(first.word(true)).isEqualTo("incomplete");
    assertThat(first.shortCircuited()).isPositive();
    assertThat(first.why())
        .contains(first.shortCircuited() + " ended early, the first for: ")
        .contains("tasks are not done");
    AttemptReport second = all.get(1);
    assertThat(second.word(false)).isEqualTo("done");
    assertThat(second.begunMillis()).isBetween(first.endedMillis(), second.endedMillis());
    assertThat(second.counts().read() + first.counts().read()).isEqualTo(RECORDS);
    assertThat(second.counts().balanced()).isTrue();
    RecordCounts retried = all.get(0).counts();
    assertThat(retried)
        .isEqualTo(new RecordCounts(retried.written() + 16, retried.written(), 0, 0, 16, 0));
    assertThat(logs.attempts(Optional.empty(), 2)).isEqualTo(all.subList(0, 2));
    assertThat(logs.attempts(Optional.of("0.2"), 2)).isEqualTo(all.subList(2, 3));
    assertThat(logs.attempts(Optional.of("0.1"), 2)).isEmpty();
    assertThatThrownBy(() -> logs.attempts(Optional.of("../x"), 2))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(logs.shortCircuits(part(0, 1, Optional.empty(), 100)).entries())
        .hasSize(first.shortCircuited());
    assertThat(logs.shortCircuits(newest(100)).entries()).isEmpty();
    assertThat(logs.unread(newest(100)).entries()).isEmpty();
  }

  @Test
  void inputThatCannotBeReadIsTold() throws IOException {
    Path file = dir.resolve("in.csv.gz");
    try (OutputStream out = Compression.GZIP.open(Files.newOutputStream(file))) {
      out.write(HEADER.getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < RECORDS * 10; i++) {
        out.write(line(i).getBytes(StandardCharsets.UTF_8));
      }
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));
    LoadOptions options =
        Bench.options(4, 2000, Conflicts.NEWER, Duplicates.UNCHECKED, SnapshotOptions.DEFAULT);
    LoadJob job = job(file, Bench.MAPPING, options);
    JobReport report = job.run(JobView.NONE);
    JobLogs logs = job.directory().logs();
    assertThat(logs.unread(newest(10)).entries()).isEqualTo(report.unread()).hasSize(1);
    AttemptReport attempt = logs.attempts(Optional.empty(), 1).get(0);
    assertThat(attempt.unread()).isEqualTo(1);
    assertThat(attempt.why()).contains("; 1 cannot be read, the first for: ");
    assertThat(attempt.counts()).isEqualTo(report.counts());
  }

  @Test
  void pagesOfALogAreTheWholeLogHoweverLongTheyAre() throws IOException {
    LoadJob job = job(Bench.OPTIONS);
    job.run(JobView.NONE);
    JobLogs logs = job.directory().logs();
    List<Long> all = offsets(logs, 0, 0, 1000);
    assertThat(all).hasSize(16);
    for (int most : new int[] {1, 3, 15, 16}) {
      assertThat(offsets(logs, 0, 0, most)).isEqualTo(all);
      assertThat(offsets(logs, 0, 1, most)).hasSameElementsAs(all);
    }
    // As long as an attempt runs, and for good if its process dies, only its tasks have logs.
    Files.delete(job.directory().round(0).resolve("attempt-1/detailed.jsonl"));
    for (int most : new int[] {1, 3, 16}) {
      assertThat(offsets(logs, 0, 1, most)).hasSameElementsAs(all);
    }
    Path log = job.directory().round(0).resolve("detailed.jsonl");
    Files.writeString(log, "{\"task\":1,\"fi", StandardOpenOption.APPEND);
    assertThat(offsets(logs, 0, 0, 5)).isEqualTo(all);
  }

  @Test
  void whatIsNoPlaceInALogIsRefused() throws IOException {
    LoadJob job = job(Bench.OPTIONS);
    job.run(JobView.NONE);
    JobLogs logs = job.directory().logs();
    String next = logs.detailed(part(0, 0, Optional.empty(), 3)).next().orElseThrow();
    for (String after :
        List.of(
            next + "1",
            "detailed.jsonl@0",
            "round-0/detailed.jsonl@1",
            "round-0/detailed.jsonl@999999999999",
            "round-0/detailed.jsonl",
            "round-1/detailed.jsonl@0",
            "round-0/retry.csv@0",
            "round-0/attempt-2/detailed.jsonl@0",
            "round-0/attempt-1/unread.jsonl@0",
            "round-0/../job.json@0",
            "../../job.json@0",
            "round-0/superseded@0")) {
      assertThatThrownBy(() -> logs.detailed(part(0, 0, Optional.of(after), 3)))
          .as(after)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> logs.unread(part(0, 1, Optional.of(next), 3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> logs.detailed(part(1, 0, Optional.empty(), 3)))
        .hasMessageContaining("no round 1");
    assertThatThrownBy(() -> logs.detailed(part(0, 2, Optional.empty(), 3)))
        .hasMessageContaining("no attempt 2");
  }

  /** Who reads a log is not led into another when the job goes on meanwhile. */
  @Test
  void theNextPageIsOfTheSameRoundAndAttempt() throws IOException {
    LoadJob job = job(Bench.OPTIONS);
    job.run(JobView.NONE);
    JobLogs logs = job.directory().logs();
    Path whole = job.directory().round(0).resolve("detailed.jsonl");
    byte[] entries = Files.readAllBytes(whole);
    Files.delete(whole);
    JobLogs.Page<FailureEntry> ofAttempt = logs.detailed(newest(3));
    Files.write(whole, entries);
    JobLogs.Page<FailureEntry> ofRound = logs.detailed(newest(3));
    job.retry(JobView.NONE);
    assertThat(logs.detailed(newest(100)).round()).isEqualTo(1);
    for (JobLogs.Page<FailureEntry> page : List.of(ofAttempt, ofRound)) {
      JobLogs.Page<FailureEntry> rest =
          logs.detailed(new JobLogs.Part(Optional.empty(), Optional.empty(), page.next(), 100));
      assertThat(rest.round()).isZero();
      assertThat(rest.attempt()).isEqualTo(page.attempt());
      assertThat(rest.entries()).hasSize(13).doesNotContainAnyElementsOf(page.entries());
    }
    assertThat(ofAttempt.attempt()).isEqualTo(1);
    assertThat(ofRound.attempt()).isZero();
  }

  /** What a round has of its own is no log of tasks that ended early, or could not read. */
  @Test
  void withoutANumberTheLogsOfTasksAreThoseOfTheNewestAttempt() throws IOException {
    LoadJob job = job(Bench.OPTIONS);
    JobLogs logs = job.directory().logs();
    Path round = Files.createDirectories(job.directory().round(0));
    FailureEntry missing = new FailureEntry(1, "in.csv", 7, "UNPARSABLE", true, 0, "x");
    JobFiles.append(round.resolve("detailed-input.jsonl"), missing);
    assertThat(logs.detailed(newest(5)).entries()).containsExactly(missing);
    assertThat(logs.shortCircuits(newest(5)).entries()).isEmpty();
    assertThat(logs.unread(newest(5)).entries()).isEmpty();
    job.run(JobView.NONE);
    assertThat(logs.shortCircuits(part(0, 0, Optional.empty(), 5)).attempt()).isEqualTo(1);
    assertThat(logs.unread(part(0, 0, Optional.empty(), 5)).attempt()).isEqualTo(1);
  }

  /** An entry may be anything; what is held of a log at a time is not. */
  @Test
  void aPageIsBoundedInBytesAndALineWithoutAnEndIsDamage() throws IOException {
    LoadJob job = job(Bench.OPTIONS);
    job.run(JobView.NONE);
    Path log = job.directory().round(0).resolve("detailed.jsonl");
    FailureEntry big = new FailureEntry(1, "in.csv", 7, "UNPARSABLE", true, 0, "x".repeat(900_000));
    Files.writeString(log, "");
    for (int i = 0; i < 6; i++) {
      JobFiles.append(log, big);
    }
    JobLogs logs = job.directory().logs();
    assertThat(logs.detailed(part(0, 0, Optional.empty(), 1000)).entries()).hasSize(2);
    assertThat(offsets(logs, 0, 0, 1000)).hasSize(6);
    Files.writeString(log, "x".repeat(2_000_000));
    assertThatThrownBy(() -> logs.detailed(part(0, 0, Optional.empty(), 1000)))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("never ends");
  }

  /** Else nobody could look at what stands behind it in the log. */
  @Test
  void whatIsToldOfALongRecordIsShort() throws IOException {
    Path file = dir.resolve("in.jsonl");
    Files.writeString(
        file,
        "{\"id\":\"k1\",\"n\":\"" + "x".repeat(2_000_000) + "\"}\n{\"id\":\"k2\",\"n\":\"y\"}\n");
    Mapping mapping =
        Mapping.parse(
            "{\"key\":\"id\",\"columns\":{\"n\":{\"column\":\"%s\",\"type\":\"int64\"}}}"
                .formatted(Bench.column("n").name().family() + ":n"),
            "here");
    LoadJob job = job(file, mapping, Bench.OPTIONS);
    job.run(JobView.NONE);
    List<FailureEntry> entries = job.directory().logs().detailed(newest(5)).entries();
    assertThat(entries).extracting(FailureEntry::code).containsExactly("WRONG_TYPE", "WRONG_TYPE");
    assertThat(entries.get(0).detail()).hasSizeLessThan(3000).startsWith("Field 'n' is no ");
    assertThat(entries.get(1).detail()).endsWith(": y");
  }

  @Test
  void anAttemptThatWasBrokenOffSaysSo() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    bench.store.losesLoads(reached, ended);
    LoadJob job = job(Bench.OPTIONS);
    interrupted(job, reached);
    ended.countDown();
    AttemptReport broken = job.directory().logs().attempts(Optional.empty(), 5).get(0);
    // An interrupted thread writes no file to its end, so that nobody may have noted more.
    assertThat(broken.word(false)).isIn("interrupted", "failed");
    assertThat(broken.begunMillis()).isPositive();

    bench.store.fate = call -> Fate.PASS;
    Files.delete(job.directory().round(0).resolve("attempt-1/attempt.json"));
    job.run(JobView.NONE);
    List<AttemptReport> all = job.directory().logs().attempts(Optional.empty(), 5);
    assertThat(all).extracting(each -> each.word(true)).containsExactly("done", "unknown");
  }

  /** Pages that show jobs look all the time, and none of them is who works on the job. */
  @Test
  void whoOnlyLooksWhetherAJobIsWorkedOnKeepsNobodyFromIt() throws Exception {
    LoadJob job = job(Bench.OPTIONS);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Exception> failed = new AtomicReference<>();
    Thread looker =
        new Thread(
            () -> {
              try {
                while (!stop.get()) {
                  job.directory().isLocked();
                }
              } catch (IOException e) {
                failed.set(e);
              }
            });
    looker.start();
    try {
      for (int i = 0; i < 10; i++) {
        assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.REMAINDER);
        assertThat(job.directory().isLocked(bench.seams)).isFalse();
      }
      job.cancel();
      assertThat(job.directory().state().phase()).isEqualTo(JobState.Phase.CANCELLED);
    } finally {
      stop.set(true);
      looker.join();
    }
    assertThat(failed.get()).isNull();
  }

  /** What can be done is what is not refused. */
  @Test
  void whatCanBeDoneWithAJobFollowsFromItsState() throws IOException {
    LoadJob job = job(Bench.OPTIONS.with(Conflicts.FAIL).atomically());
    assertThat(job.directory().report().steps(false))
        .isEqualTo(Set.of(JobStep.RESUME, JobStep.CANCEL));
    assertThatThrownBy(job::requireCommittable).hasMessageContaining("not done");
    assertThatThrownBy(job::requireRetryable).hasMessageContaining("not done");
    job.run(JobView.NONE);
    JobReport stands = job.directory().report();
    assertThat(stands.waits(false)).isTrue();
    assertThat(stands.waits(true)).isFalse();
    assertThat(stands.steps(false))
        .isEqualTo(Set.of(JobStep.RETRY, JobStep.COMMIT, JobStep.CANCEL));
    assertThat(stands.steps(true)).isEqualTo(Set.of(JobStep.CANCEL));

    try (Transaction tx = bench.transactions.begin()) {
      tx.set(Bench.row("k00001"), Bench.column("a"), "other");
      tx.commit();
    }
    assertThatThrownBy(job::commit).hasMessageContaining("Others wrote");
    JobReport refused = job.directory().report();
    assertThat(refused.state().message())
        .startsWith("The commit did not come to its end: Others wrote");
    assertThat(refused.steps(false))
        .isEqualTo(Set.of(JobStep.RESUME, JobStep.COMMIT, JobStep.CANCEL));
    assertThatThrownBy(() -> job.retry(JobView.NONE)).hasMessageContaining("is being committed");
    job.cancel();
    assertThat(job.directory().report().steps(false)).isEmpty();
    assertThatThrownBy(job::requireRunnable).hasMessageContaining("was cancelled");
  }
}
