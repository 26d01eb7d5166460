package io.braid.batch.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.Bench.Troubled.Fate;
import io.braid.batch.JobException;
import io.braid.batch.log.JobFiles;
import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.reduce.RecordReducer;
import io.braid.batch.reduce.Reducers;
import io.braid.batch.rows.LoadRow;
import io.braid.batch.snapshot.Algorithm;
import io.braid.batch.snapshot.SnapshotOptions;
import io.braid.core.data.Codecs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads that make one record of all that have the same key. Faults 42 and 43. */
class ReductionTest {
  private static final int RECORDS = 3000;
  private static final int KEYS = 400;
  private static final Mapping MAPPING =
      new Mapping(
          List.of("id"),
          "/",
          Map.of(
              "n", new Mapping.Target("f:n", FieldType.INT64),
              "tag", new Mapping.Target("f:tag", FieldType.TEXT),
              "at", new Mapping.Target("f:at", FieldType.TEXT)),
          null);

  @TempDir Path dir;
  private final Bench bench = new Bench();

  /** Sums; fails when it is told to. */
  public static final class Stumbling implements RecordReducer {
    static final AtomicInteger CALLS = new AtomicInteger();
    static volatile int failAt;

    @Override
    public Map<String, String> reduce(Map<String, String> earlier, Map<String, String> later) {
      if (CALLS.incrementAndGet() == failAt) {
        throw new IllegalStateException("stumbled, on purpose");
      }
      return Reducers.parse("n=sum", MAPPING).reduce(earlier, later);
    }
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Writes random records into two files; the sums of {@code n} by key. */
  private Map<String, Long> input(List<Path> files) throws IOException {
    Random random = new Random(8);
    Map<String, Long> sums = new TreeMap<>();
    for (String name : List.of("a.csv", "b.csv")) {
      StringBuilder text = new StringBuilder("id,n,tag,at\n");
      for (int i = 0; i < RECORDS / 2; i++) {
        String key = String.format("k%05d", random.nextInt(KEYS));
        int n = random.nextInt(1000);
        if (i % 100 == 7) {
          text.append(key).append(",many,x,1\n");
          continue;
        }
        sums.merge(key, (long) n, Long::sum);
        text.append(key).append(',').append(n).append(",x,1\n");
      }
      files.add(Files.writeString(dir.resolve(name), text));
    }
    return sums;
  }

  private LoadJob job(LoadOptions options, List<Path> files) throws IOException {
    return LoadJob.create(
        bench.context, dir.resolve("jobs"), "j", Bench.TABLE, files, MAPPING, options);
  }

  private static LoadOptions options(String reducer, long memory) {
    return options(Algorithm.STANDARD, memory).reducedBy(reducer);
  }

  private static LoadOptions options(Algorithm algorithm, long memory) {
    LoadOptions o = Bench.OPTIONS;
    return Bench.options(
        o.parallel(),
        4000,
        o.conflicts(),
        o.duplicates(),
        new SnapshotOptions(algorithm, 1 << 20, memory, 2));
  }

  private Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>();
    bench
        .table()
        .forEach(
            (key, text) -> {
              String bytes = text.replaceFirst(".*n=", "");
              assertThat(bytes).isNotEmpty();
              sums.put(key, value(key));
            });
    return sums;
  }

  private long value(String key) {
    try (var now = bench.transactions.snapshot()) {
      return now.get(Bench.row(key), io.braid.core.data.Column.of("f", "n", Codecs.int64()))
          .orElse(-1L);
    }
  }

  private List<Path> files(String glob) throws IOException {
    try (Stream<Path> all = Files.walk(dir.resolve("jobs/j"))) {
      return all.filter(file -> String.valueOf(file.getFileName()).matches(glob)).toList();
    }
  }

  /** Memory for a few records: hundreds of runs, merged in several steps. */
  @ParameterizedTest
  @ValueSource(longs = {1000, 1 << 20})
  void recordsOfOneKeyAreSummedInBoundedMemory(long memory) throws IOException {
    List<Path> files = new ArrayList<>();
    Map<String, Long> expected = input(files);
    JobReport report = job(options("n=sum", memory), files).run(JobView.NONE);
    RecordCounts counts = report.state().counts();
    assertThat(counts)
        .isEqualTo(
            new RecordCounts(RECORDS, expected.size(), 0, RECORDS - 30 - expected.size(), 30, 0));
    assertThat(counts.balanced()).isTrue();
    assertThat(sums()).isEqualTo(expected);
    assertThat(files(".*\\.run.*")).isEmpty();
    assertThat(Files.readAllLines(dir.resolve("jobs/j/round-0/retry-input.csv")))
        .hasSize(31)
        .contains("id,n,tag,at")
        .anyMatch(line -> line.endsWith(",many,x,1"));
  }

  @Test
  void tasksAndPartitionsThatAreDoneAreNotDoneAgain() throws IOException {
    List<Path> files = new ArrayList<>();
    Map<String, Long> expected = input(files);
    int calls = RECORDS - 30 - expected.size();
    Stumbling.CALLS.set(0);
    Stumbling.failAt = calls * 3 / 4;
    LoadJob job = job(options("class:" + Stumbling.class.getName(), 1 << 20), files);
    assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessageContaining("stumbled, on purpose");
    assertThat(bench.table()).isEmpty();
    Path logs = dir.resolve("jobs/j/round-0/reduce");
    int mapped = Files.readAllLines(logs.resolve("mapped.jsonl")).size();
    assertThat(Files.readAllLines(logs.resolve("reduced.jsonl"))).hasSizeBetween(1, 3);
    // What is done does not need its input any more.
    for (Path run : files("task-.*\\.p" + done(logs) + "\\.run")) {
      Files.delete(run);
    }
    Stumbling.CALLS.set(0);
    LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j");
    JobReport report = again.run(JobView.NONE);
    assertThat(Stumbling.CALLS.get()).isLessThan(calls);
    assertThat(Files.readAllLines(logs.resolve("mapped.jsonl"))).hasSize(mapped);
    assertThat(report.state().counts().read()).isEqualTo(RECORDS);
    assertThat(report.state().counts().balanced()).isTrue();
    assertThat(sums()).isEqualTo(expected);
  }

  private static int done(Path logs) throws IOException {
    String line = Files.readAllLines(logs.resolve("reduced.jsonl")).get(0);
    return JobFiles.JSON.readTree(line).get("partition").asInt();
  }

  @Test
  void whatIsLeftIsTriedAgainAndWhatWasMendedIsReducedWithIt() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("in.csv"),
            "id,n,tag,at\nk1,1,a,1\nk2,5,b,1\nk1,2,c,1\nk2,,d,1\nk3,x,e,1\n");
    bench.store.fate =
        call ->
            call.name().equals(LoadRow.INSTANCE.name())
                    && call.rows().get(0).key().toUtf8().equals("k1")
                ? Fate.REFUSED
                : Fate.PASS;
    LoadJob job = job(options("n=sum,tag=concat:|", 1 << 20), List.of(file));
    assertThat(job.run(JobView.NONE).state().counts())
        .isEqualTo(new RecordCounts(5, 1, 0, 2, 1, 1));
    assertThat(Files.readString(dir.resolve("jobs/j/round-0/retry.jsonl")))
        .isEqualTo("{\"id\":\"k1\",\"n\":\"3\",\"tag\":\"a|c\",\"at\":\"1\"}\n");
    assertThat(job.directory().failures(10)).hasSize(2);
    bench.store.fate = call -> Fate.PASS;
    JobReport retried = LoadJob.open(bench.context, dir.resolve("jobs"), "j").retry(JobView.NONE);
    assertThat(retried.counts()).isEqualTo(new RecordCounts(5, 2, 0, 2, 1, 0));
    assertThat(value("k1")).isEqualTo(3);
    assertThat(value("k2")).isEqualTo(5);
    assertThat(bench.table()).doesNotContainKey("k3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"VANILLA_SORT", "IMPORT_SORT", "HADOOP_SORT"})
  void aSnapshotLoadTakesReducedRecords(String algorithm) throws IOException {
    List<Path> files = new ArrayList<>();
    Map<String, Long> expected = input(files);
    LoadOptions options = options(Algorithm.valueOf(algorithm), 1 << 20).reducedBy("n=sum");
    LoadJob job = job(options, files);
    assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.REMAINDER);
    assertThat(bench.table()).isEmpty();
    assertThatThrownBy(() -> job.retry(JobView.NONE)).hasMessageContaining("was reduced from it");
    job.commit();
    assertThat(sums()).isEqualTo(expected);
  }

  @Test
  void inputThatCannotBeReadEndsTheLoadBeforeItWrites() throws IOException {
    Path file = dir.resolve("in.csv.gz");
    try (OutputStream out =
        io.braid.batch.input.Compression.GZIP.open(Files.newOutputStream(file))) {
      out.write(
          "id,n\nk1,1\nk2,2\n".repeat(20_000).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 20));
    Mapping mapping = Mapping.ofFamily(List.of("id"), "f");
    LoadJob job =
        LoadJob.create(
            bench.context,
            dir.resolve("jobs"),
            "j",
            Bench.TABLE,
            List.of(file),
            mapping,
            options("n=sum", 1 << 20));
    assertThatThrownBy(() -> job.run(JobView.NONE))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("nothing was written");
    assertThat(job.directory().state().phase()).isEqualTo(JobState.Phase.FAILED);
    assertThat(bench.table()).isEmpty();
  }

  @Test
  void aJobThatIsCancelledWhileItSortsEnds() throws IOException {
    List<Path> files = new ArrayList<>();
    input(files);
    Files.writeString(files.get(0), "id,n,tag,at\n" + "k1,1,x,1\n".repeat(5000));
    LoadJob job = job(options("n=sum", 1 << 20), files);
    Files.createDirectories(job.directory().path());
    job.directory().askToCancel();
    assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.CANCELLED);
    assertThat(bench.table()).isEmpty();
    assertThat(bench.transactions.pins()).isEmpty();
    assertThat(files(".*\\.run")).isEmpty();
  }

  private static String reduced(String reducer, String... records) {
    RecordReducer by = Reducers.parse(reducer, MAPPING);
    Map<String, String> all = null;
    for (String record : records) {
      Map<String, String> fields = new TreeMap<>();
      for (String field : record.split(" ")) {
        fields.put(field.split("=")[0], field.split("=")[1]);
      }
      all = all == null ? fields : by.reduce(all, fields);
    }
    return String.valueOf(all);
  }

  @Test
  void fieldsAreReducedAsTheirTypesAndTheReducerSay() {
    assertThat(reduced("n=max", "n=9 tag=a", "n=10 tag=b", "n=2")).isEqualTo("{n=10, tag=b}");
    assertThat(reduced("n=min,tag=first", "n=9 tag=a", "n=10 tag=b")).isEqualTo("{n=9, tag=a}");
    assertThat(reduced("tag=max", "tag=9", "tag=10")).isEqualTo("{tag=9}");
    assertThat(reduced("free=sum", "free=0.1", "free=0.2")).isEqualTo("{free=0.3}");
    assertThat(reduced("tag=concat", "tag=a", "n=1", "tag=b")).isEqualTo("{n=1, tag=a,b}");
    assertThat(reduced("last:n", "n=9 tag=a", "n=10 tag=b", "n=2 tag=c", "tag=d"))
        .isEqualTo("{n=10, tag=b}");
    assertThat(reduced("last:at", "tag=a", "at=1 tag=b", "at=1 tag=c")).isEqualTo("{at=1, tag=c}");
    for (String wrong :
        List.of(
            "", "n", "n=", "n=most", "=sum", "n=sum,n=max", "last:", "class:no.such", "id=sum")) {
      assertThatThrownBy(() -> Reducers.parse(wrong, MAPPING))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> options("", 1 << 20)).hasMessageContaining("takes a reducer");
  }
}
