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
import io.braid.batch.rows.Conflicts;
import io.braid.batch.snapshot.SnapshotOptions;
import io.braid.core.data.Bytes;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.hostile.Call;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads over a store in memory that makes trouble. */
class LoadJobTest {
  private static final int RECORDS = 1600;
  private static final String HEADER = "id,a,b\n";

  @TempDir Path dir;
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static String key(int i) {
    return String.format("k%05d", i);
  }

  /** Lines of equal length, so that tasks have equal numbers of them. */
  private static String line(int i) {
    return key(i) + String.format(",a%04d,b%04d\n", i, i);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("in.csv"), text);
  }

  private LoadJob job(LoadOptions options, Path... files) throws IOException {
    return LoadJob.create(
        bench.context,
        dir.resolve("jobs"),
        "j",
        Bench.TABLE,
        List.of(files),
        Bench.MAPPING,
        options);
  }

  private static int number(Call<?> call) {
    return Integer.parseInt(call.rows().get(0).key().toUtf8().substring(1));
  }

  private List<String> lines(String file) throws IOException {
    Path path = dir.resolve("jobs/j").resolve(file);
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  private List<Integer> tasksIn(String log) throws IOException {
    List<Integer> tasks = new ArrayList<>();
    for (String line : lines(log)) {
      tasks.add(JobFiles.JSON.readTree(line).get("task").asInt());
    }
    tasks.sort(null);
    return tasks;
  }

  private static LoadOptions with(Duplicates duplicates, Conflicts conflicts) {
    LoadOptions o = Bench.OPTIONS;
    return Bench.options(
        o.parallel(), o.taskBytes(), conflicts, duplicates, SnapshotOptions.DEFAULT);
  }

  /**
   * Fault 42: who breaks a job off (a server that ends does) leaves no checkpoint of a task whose
   * records were still on their way.
   */
  @Test
  void whatWasOnItsWayWhenTheJobWasInterruptedIsWrittenWhenItIsResumed() throws Exception {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < 10; i++) {
      text.append(line(i));
    }
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    bench.store.losesLoads(reached, ended);
    LoadJob job = job(Bench.OPTIONS, file(text.toString()));
    assertThat(interrupted(job, reached)).hasMessageContaining("interrupted");
    assertThat(lines("round-0/attempt-1/checkpoint.jsonl")).isEmpty();
    ended.countDown();
    bench.store.fate = call -> Fate.PASS;
    assertThat(job.run(JobView.NONE).counts().written()).isEqualTo(10);
    assertThat(bench.table()).hasSize(10);
  }

  /**
   * What is installed on a table (an index) raises its epoch: from then on no record is written.
   */
  @Test
  void aTableThatMayNotBeLoadedAnyMoreEndsTheJob() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < RECORDS; i++) {
      text.append(line(i));
    }
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger written = new AtomicInteger();
    bench.store.fate =
        call -> {
          if (loads(call) && calls.incrementAndGet() == 400) {
            bench.loadable =
                table -> {
                  throw new JobException("Table " + table + " has an index.");
                };
            bench.memory.raiseEpoch(Bench.TABLE, bench.memory.epoch(Bench.TABLE) + 1);
            written.set(bench.table().size());
          }
          return Fate.PASS;
        };
    LoadJob job = job(Bench.OPTIONS, file(text.toString()));
    assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("has an index");
    assertThat(bench.table()).hasSize(written.get());
    assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("has an index");
  }

  /**
   * The example of section 4.4, log for log: eight tasks, four at a time; the store goes away about
   * halfway; a second attempt does what is not done; a third run goes over both retry logs. Fault
   * 42.
   */
  @Test
  void threeRunsAsInFigureTwo() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < RECORDS; i++) {
      text.append(i % 200 == 50 ? String.format("poison-%05d-wrong\n", i) : line(i));
    }
    int length = line(0).length();
    LoadOptions options =
        new LoadOptions(
            4,
            2,
            16,
            200L * length,
            3,
            1,
            2,
            60_000,
            0.9,
            "none",
            Conflicts.NEWER,
            Duplicates.LAST,
            true,
            false,
            2000,
            SnapshotOptions.DEFAULT);
    bench.store.fate =
        call ->
            loads(call) && (number(call) >= 1000 || number(call) % 200 == 60)
                ? Fate.REFUSED
                : Fate.PASS;
    LoadJob job = job(options, file(text.toString()));

    List<Long> read = new ArrayList<>();
    JobReport first = job.run(progress -> read.add(progress.done()));
    assertThat(first.tasks()).isEqualTo(8);
    assertThat(read).as("what tasks read that ended early stays read").isSorted();
    assertThat(read.get(read.size() - 1)).isGreaterThan(1000);
    assertThat(first.state().phase()).isEqualTo(JobState.Phase.FAILED);
    assertThat(tasksIn("round-0/attempt-1/checkpoint.jsonl")).containsExactly(1, 2, 3, 4, 5);
    assertThat(tasksIn("round-0/attempt-1/short-circuit.jsonl")).containsExactly(6, 7, 8);
    assertThat(lines("round-0/attempt-1/retry.csv")).hasSize(1 + 10).contains("id,a,b");
    assertThat(lines("round-0/attempt-1/detailed.jsonl")).hasSize(10);
    assertThatThrownBy(() -> job.retry(JobView.NONE)).hasMessageContaining("resume");

    bench.store.fate = call -> loads(call) && number(call) % 200 == 60 ? Fate.REFUSED : Fate.PASS;
    JobReport second = job.run(JobView.NONE);
    assertThat(second.state().phase()).isEqualTo(JobState.Phase.REMAINDER);
    assertThat(tasksIn("round-0/attempt-2/checkpoint.jsonl")).containsExactly(6, 7, 8);
    assertThat(lines("round-0/attempt-2/short-circuit.jsonl")).isEmpty();
    assertThat(lines("round-0/attempt-2/retry.csv")).hasSize(1 + 6);
    assertThat(lines("round-0/retry.csv")).hasSize(1 + 16).contains(line(860).strip());
    assertThat(second.counts()).isEqualTo(new RecordCounts(1600, 1584, 0, 0, 8, 8));

    bench.store.fate = call -> Fate.PASS;
    JobReport third = job.retry(JobView.NONE);
    assertThat(third.counts()).isEqualTo(new RecordCounts(1600, 1592, 0, 0, 8, 0));
    assertThat(third.counts().balanced()).isTrue();
    assertThat(lines("round-1/retry.csv")).hasSize(1 + 8).noneMatch(l -> l.startsWith("k"));
    assertThat(lines("round-1/detailed.jsonl")).hasSize(8).allMatch(l -> l.contains("UNPARSABLE"));
    assertThat(bench.table()).hasSize(1592).containsEntry("k00860", "a=a0860 b=b0860");
    assertThat(bench.transactions.pins()).hasSize(1);
    job.cancel();
    assertThat(bench.transactions.pins()).isEmpty();
  }

  /**
   * Faults 13 and 42: five percent of all calls fail, some of them after they were executed; no
   * record in more than two of its tries, which are four.
   */
  @Test
  void transientTroubleLosesAndRepeatsNothing() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < RECORDS; i++) {
      text.append(line(i));
    }
    Random random = new Random(7);
    Map<Bytes, Integer> troubles = new HashMap<>();
    AtomicInteger failed = new AtomicInteger();
    bench.store.fate =
        call -> {
          if (!loads(call)) {
            return Fate.PASS;
          }
          synchronized (random) {
            int dice = random.nextInt(60);
            if (dice >= 3
                || call.rows().stream().anyMatch(r -> troubles.getOrDefault(r.key(), 0) == 2)) {
              return Fate.PASS;
            }
            call.rows().forEach(row -> troubles.merge(row.key(), 1, Integer::sum));
            failed.incrementAndGet();
            return Fate.values()[1 + dice];
          }
        };
    JobReport report = job(Bench.OPTIONS, file(text.toString())).run(JobView.NONE);
    assertThat(report.counts()).isEqualTo(new RecordCounts(1600, 1600, 0, 0, 0, 0));
    assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(bench.table()).hasSize(RECORDS);
    assertThat(failed).hasPositiveValue();
  }

  /**
   * Fault 43: of records with one key the last counts, across tasks and files; or none is taken.
   */
  @Test
  void duplicatesAreFoundBeforeAnythingIsWritten() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    Random random = new Random(3);
    Map<String, String> expected = new TreeMap<>();
    for (int i = 0; i < 600; i++) {
      int k = random.nextInt(400);
      text.append(key(k)).append(",v").append(i).append(",w\n");
      expected.put(key(k), "a=v" + i + " b=w");
    }
    Path first = file(text.toString());
    Path second = Files.writeString(dir.resolve("more.jsonl"), "{\"id\":\"k00007\",\"a\":1}\n");
    expected.put("k00007", "a=1");
    assertThatThrownBy(
            () -> job(with(Duplicates.FAIL, Conflicts.NEWER), first, second).run(JobView.NONE))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("Nothing was written");
    assertThat(bench.table()).isEmpty();

    JobReport report =
        LoadJob.create(
                bench.context,
                dir.resolve("jobs"),
                "last",
                Bench.TABLE,
                List.of(first, second),
                Bench.MAPPING,
                Bench.OPTIONS)
            .run(JobView.NONE);
    assertThat(bench.table()).isEqualTo(expected);
    assertThat(report.counts().duplicates()).isEqualTo(601 - expected.size());
    assertThat(report.counts().balanced()).isTrue();

    JobReport unchecked =
        LoadJob.create(
                bench.context,
                dir.resolve("jobs"),
                "unchecked",
                Bench.TABLE,
                List.of(first),
                Bench.MAPPING,
                with(Duplicates.UNCHECKED, Conflicts.NEWER))
            .run(JobView.NONE);
    assertThat(unchecked.counts().rejected()).isPositive();
    assertThat(unchecked.counts().balanced()).isTrue();
  }

  /** Fault 45: what others commit while the load runs is neither lost nor masked. */
  @Test
  void newerWritesOfOthersAreTreatedAsThePolicySays() throws IOException {
    String text = HEADER + line(1) + line(2) + line(3);
    for (Conflicts policy : Conflicts.values()) {
      LoadJob job =
          LoadJob.create(
              bench.context,
              dir.resolve("jobs"),
              "c-" + policy,
              Bench.TABLE,
              List.of(file(text)),
              Bench.MAPPING,
              with(Duplicates.LAST, policy));
      Transaction other = bench.transactions.begin();
      other.set(Bench.row(key(1)), Bench.column("a"), "mine " + policy);
      other.set(Bench.row(key(2)), Bench.column("a"), "mine too");
      other.set(Bench.row(key(2)), Bench.column("b"), "and this");
      other.commit();
      RecordCounts counts = job.run(JobView.NONE).counts();
      Map<String, String> table = bench.table();
      switch (policy) {
        case NEWER -> {
          assertThat(counts).isEqualTo(new RecordCounts(3, 2, 1, 0, 0, 0));
          assertThat(table)
              .containsEntry(key(1), "a=mine NEWER b=b0001")
              .containsEntry(key(2), "a=mine too b=and this");
        }
        case FAIL -> {
          assertThat(counts).isEqualTo(new RecordCounts(3, 1, 0, 0, 2, 0));
          Path log = dir.resolve("jobs/c-FAIL/round-0/detailed.jsonl");
          assertThat(Files.readAllLines(log))
              .as("what can never succeed is tried once")
              .hasSize(2)
              .allMatch(line -> line.contains("\"attempts\":1,"));
          assertThat(table).containsEntry(key(1), "a=mine FAIL b=b0001");
        }
        case LOAD -> {
          assertThat(counts).isEqualTo(new RecordCounts(3, 3, 0, 0, 0, 0));
          assertThat(table).containsEntry(key(2), "a=a0002 b=b0002");
        }
      }
    }
  }

  /** Fault 42: what cannot be read is tried again, then named with the place; never passed over. */
  @Test
  void unreadableInputIsNamed() throws IOException {
    Path zipped = dir.resolve("in.csv.gz");
    try (OutputStream out = Compression.GZIP.open(Files.newOutputStream(zipped))) {
      out.write(HEADER.getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < RECORDS * 10; i++) {
        out.write(line(i).getBytes(StandardCharsets.UTF_8));
      }
    }
    byte[] whole = Files.readAllBytes(zipped);
    Files.write(zipped, java.util.Arrays.copyOf(whole, whole.length / 2));
    Path sound = Files.writeString(dir.resolve("sound.csv"), HEADER + line(99_999));
    LoadJob job = job(with(Duplicates.UNCHECKED, Conflicts.NEWER), zipped, sound);
    JobReport report = job.run(JobView.NONE);
    assertThat(report.state().phase()).isEqualTo(JobState.Phase.FAILED);
    assertThat(report.unread()).hasSize(1);
    assertThat(report.unread().get(0).tries()).isEqualTo(2);
    assertThat(report.unread().get(0).at()).isPositive();
    assertThat(report.counts().balanced()).isTrue();
    assertThat(bench.table()).hasSize((int) report.counts().read()).containsKey("k99999");
    Files.write(zipped, whole);
    assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("has changed");
  }

  /**
   * Faults 42 and 43: where keys are looked at, a part that cannot be read may hold the last record
   * of any key. Nothing is written, and resuming looks again.
   */
  @Test
  void whatCannotBeReadWhenKeysAreLookedAtEndsTheJobBeforeItWrites() throws IOException {
    Path first = file(HEADER + line(7));
    Path zipped = dir.resolve("more.csv.gz");
    try (OutputStream out = Compression.GZIP.open(Files.newOutputStream(zipped))) {
      StringBuilder text = new StringBuilder(HEADER);
      for (int i = 100; i < RECORDS * 40; i++) {
        text.append(line(i));
      }
      text.append(key(7)).append(",last,one\n");
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    byte[] whole = Files.readAllBytes(zipped);
    for (Duplicates duplicates : List.of(Duplicates.FAIL, Duplicates.LAST)) {
      Files.write(zipped, java.util.Arrays.copyOf(whole, whole.length / 2));
      LoadJob job =
          LoadJob.create(
              bench.context,
              dir.resolve("jobs"),
              "look-" + duplicates,
              Bench.TABLE,
              List.of(first, zipped),
              Bench.MAPPING,
              with(duplicates, Conflicts.NEWER));
      assertThatThrownBy(() -> job.run(JobView.NONE))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("more.csv.gz cannot be read behind position")
          .hasMessageContaining("Nothing was written");
      assertThat(bench.table()).isEmpty();
      assertThat(job.directory().state().phase()).isEqualTo(JobState.Phase.FAILED);
      Files.write(zipped, whole);
      if (duplicates == Duplicates.FAIL) {
        assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("comes again");
      } else {
        assertThat(job.run(JobView.NONE).counts().duplicates()).isEqualTo(1);
      }
    }
    assertThat(bench.table()).containsEntry(key(7), "a=last b=one");
  }

  /** Fault 42: two processes on one job would each repeat what the other does. */
  @Test
  void aJobIsWorkedOnByOneProcessAtATime() throws IOException {
    LoadJob job = job(Bench.OPTIONS, file(HEADER + line(1)));
    AtomicInteger refused = new AtomicInteger();
    job.run(
        progress -> {
          try {
            LoadJob other = LoadJob.open(bench.context, dir.resolve("jobs"), "j");
            assertThatThrownBy(() -> other.run(JobView.NONE))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("Another process works on job j");
            refused.incrementAndGet();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    assertThat(refused).hasPositiveValue();
    assertThat(bench.table()).hasSize(1);
  }

  /** Jobs of two directories may have one id; each has a pin of its own. */
  @Test
  void jobsWithOneIdInTwoDirectoriesKeepTheirPins() throws IOException {
    Path file = file(HEADER + line(1));
    List<LoadJob> jobs = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      jobs.add(
          LoadJob.create(
              bench.context,
              dir.resolve(name),
              "j",
              Bench.TABLE,
              List.of(file),
              Bench.MAPPING,
              Bench.OPTIONS));
    }
    assertThat(bench.transactions.pins()).hasSize(2);
    jobs.get(1).run(JobView.NONE);
    assertThat(bench.transactions.pins())
        .singleElement()
        .satisfies(pin -> assertThat(pin.timestamp()).isEqualTo(jobs.get(0).spec().start()));
    // One that died while it was being made leaves a pin, which the next one of its place removes.
    Files.delete(dir.resolve("a/j/job.json"));
    jobs.set(
        0,
        LoadJob.create(
            bench.context,
            dir.resolve("a"),
            "j",
            Bench.TABLE,
            List.of(file),
            Bench.MAPPING,
            Bench.OPTIONS));
    assertThat(bench.transactions.pins()).hasSize(1);
    jobs.get(0).run(JobView.NONE);
    assertThat(bench.transactions.pins()).isEmpty();
  }

  /** Fault 42: a task that dies, of whatever, ends the attempt; the next repeats it. */
  @Test
  void aCrashedAttemptIsGoneOnWith() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < RECORDS; i++) {
      text.append(line(i));
    }
    LoadJob job = job(Bench.OPTIONS, file(text.toString()));
    Set<Integer> died = ConcurrentHashMap.newKeySet();
    for (int from = 300; from < RECORDS; from += 350) {
      // Tasks beside the one that dies come to their end, which may be any number of records; what
      // it died of before and has not written yet would not kill it again.
      Set<String> written = bench.table().keySet();
      int poison = from;
      while (poison < RECORDS && (written.contains(key(poison)) || died.contains(poison))) {
        poison++;
      }
      if (poison == RECORDS) {
        break;
      }
      int one = poison;
      bench.store.fate =
          call -> {
            if (loads(call) && number(call) == one && died.add(one)) {
              throw new OutOfMemoryError("on purpose");
            }
            return Fate.PASS;
          };
      assertThatThrownBy(() -> job.run(JobView.NONE)).isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(died).isNotEmpty();
    JobReport report = LoadJob.open(bench.context, dir.resolve("jobs"), "j").run(JobView.NONE);
    assertThat(report.counts()).isEqualTo(new RecordCounts(1600, 1600, 0, 0, 0, 0));
    assertThat(bench.table()).hasSize(RECORDS);
    assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("nothing left");
  }

  /**
   * Fault 47: a job that is gone on with after its table's tablets have split repeats only what was
   * not done.
   */
  @Test
  void savepointsSurviveTabletSplitsBetweenAttempts() throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < 800; i++) {
      text.append(line(i));
    }
    bench.store.fate = call -> loads(call) && number(call) >= 400 ? Fate.REFUSED : Fate.PASS;
    LoadJob job = job(with(Duplicates.LAST, Conflicts.NEWER), file(text.toString()));
    JobReport first = job.run(JobView.NONE);
    assertThat(first.unfinished()).isBetween(1, first.tasks() - 1);
    Division before = job.directory().division(0).orElseThrow();
    for (int i = 50; i < 800; i += 150) {
      bench.memory.splitTablet(Bench.TABLE, Bytes.of(key(i)));
    }
    bench.store.fate = call -> Fate.PASS;

    LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j");
    JobReport report = again.run(JobView.NONE);
    if (report.state().phase() == JobState.Phase.REMAINDER) {
      report = again.retry(JobView.NONE);
    }

    assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(again.directory().division(0).orElseThrow()).isEqualTo(before);
    assertThat(lines("round-0/attempt-2/checkpoint.jsonl")).hasSize(first.unfinished());
    assertThat(report.counts().written()).isEqualTo(800);
    assertThat(bench.table()).hasSize(800);
  }
}
