package io.braid.changes.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLogs;
import io.braid.changes.feed.ChangesException;
import io.braid.changes.feed.FeedBench;
import io.braid.changes.feed.Position;
import io.braid.core.data.Bytes;
import io.braid.core.transaction.Snapshot;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Algorithm 1: from a live system that has a backup and a feed. Fault 89. */
class MigrationTest {
  private static final Mapping MAPPING = Mapping.ofFamily(List.of("id"), "f");

  @TempDir Path directory;
  private int runs;

  /** An old system: a map, and a file that it appends its changes to. */
  private static final class OldSystem {
    final Map<String, String> rows = new TreeMap<>();
    final Path feed;
    long position = 100;

    OldSystem(Path feed) throws IOException {
      this.feed = feed;
      append("{\"table\":\"t\",\"resolved\":\"100\",\"position\":\"100\"}\n");
    }

    void append(String text) throws IOException {
      Files.writeString(feed, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void write(String key, String value) throws IOException {
      position++;
      if (value.isEmpty()) {
        rows.remove(key);
      } else {
        rows.put(key, value);
      }
      append(
          "{\"table\":\"t\",\"row\":\"%s\",\"position\":\"%d\",\"columns\":{\"f:x\":%s}}\n"
              .formatted(key, position, value.isEmpty() ? "null" : '"' + value + '"'));
    }

    void change(RandomGenerator random, int times) throws IOException {
      for (int i = 0; i < times; i++) {
        String value = random.nextInt(5) == 0 ? "" : "v" + position;
        write("k" + random.nextInt(20), value);
      }
    }

    Map<String, String> asText() {
      Map<String, String> text = new TreeMap<>();
      rows.forEach((key, value) -> text.put(key, "x=" + value));
      return text;
    }

    Path backup(Path file) throws IOException {
      StringBuilder lines = new StringBuilder();
      rows.forEach(
          (key, value) -> lines.append("{\"id\":\"%s\",\"x\":\"%s\"}\n".formatted(key, value)));
      return Files.writeString(file, lines);
    }
  }

  private static Optional<String> load(FeedBench bench, Path jobs, Path backup) throws IOException {
    LoadJob job =
        Files.exists(jobs.resolve("backup"))
            ? LoadJob.open(bench.context, jobs, "backup")
            : LoadJob.create(
                bench.context,
                jobs,
                "backup",
                FeedBench.TABLE,
                List.of(backup),
                MAPPING,
                LoadOptions.DEFAULT);
    if (job.directory().state().phase() == JobState.Phase.DONE) {
      return Optional.empty();
    }
    return job.run(JobView.NONE).state().phase() == JobState.Phase.DONE
        ? Optional.empty()
        : Optional.of("not all");
  }

  /** The old system goes on all the while, and the migrating process dies at any point. */
  @Test
  void nothingIsLostWhereverTheProcessDies() {
    Seeds.check(
        6,
        random -> {
          Path home = Files.createDirectories(directory.resolve("run-" + runs++));
          OldSystem old = new OldSystem(home.resolve("feed.jsonl"));
          old.change(random, 40);
          Position at = Position.after(old.position);
          Path backup = old.backup(home.resolve("backup.jsonl"));
          old.change(random, 10);
          try (FeedBench bench = FeedBench.withoutLog();
              ChangeLogs logs = bench.openLogs()) {
            int deaths = 0;
            boolean done = false;
            while (!done) {
              int life = deaths < 8 ? 1 + random.nextInt(6) : Integer.MAX_VALUE;
              try (Migration migration = open(bench, logs, home, old, at, life)) {
                if (!migration.isLoaded()) {
                  assertThat(migration.load(() -> load(bench, home.resolve("jobs"), backup)))
                      .isEmpty();
                }
                old.change(random, 3);
                migration.drain(false, () -> false);
                old.change(random, 3);
                migration.finish(Duration.ofDays(1));
                done = true;
              } catch (Died e) {
                deaths++;
                old.change(random, 2);
              } catch (ChangesException e) {
                assertThat(e).hasRootCauseInstanceOf(Died.class);
                deaths++;
              }
            }
            assertThat(bench.table()).isEqualTo(old.asText());
          }
        });
  }

  /** What ends a process. */
  private static final class Died extends RuntimeException {
    Died() {
      super("died, on purpose");
    }
  }

  /** A source whose process dies after some calls. */
  private record Dying(ChangeSource source, int[] left) implements ChangeSource {
    @Override
    public Position begin() throws IOException {
      return source.begin();
    }

    @Override
    public ChangeBatch next(Position after, int most) throws IOException {
      if (left[0]-- == 0) {
        throw new Died();
      }
      return source.next(after, Math.min(most, 7));
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  private static Migration open(
      FeedBench bench, ChangeLogs logs, Path home, OldSystem old, Position at, int life)
      throws IOException {
    ChangeSource source = new Dying(new FileSource(old.feed), new int[] {life});
    return Migration.open(
        bench.transactions,
        bench.seams,
        logs,
        source,
        home.resolve("migration"),
        FeedBench.TABLE,
        at);
  }

  @Test
  void aFeedThatBeginsAfterTheBackupIsRefused() throws IOException {
    OldSystem old = new OldSystem(directory.resolve("feed.jsonl"));
    old.write("k1", "v");
    try (FeedBench bench = FeedBench.withoutLog();
        ChangeLogs logs = bench.openLogs()) {
      assertThatThrownBy(
              () -> open(bench, logs, directory, old, Position.after(99), Integer.MAX_VALUE))
          .isInstanceOf(ChangesException.class)
          .hasMessageContaining("would be lost");
      assertThat(directory.resolve("migration")).doesNotExist();
    }
  }

  @Test
  void theOldSystemIsFedWithWhatIsWrittenHereAndWithNothingOfItsOwn() throws IOException {
    OldSystem old = new OldSystem(directory.resolve("feed.jsonl"));
    old.write("k1", "one");
    Path backup = old.backup(directory.resolve("backup.jsonl"));
    Position at = Position.after(old.position);
    old.write("k2", "two");
    try (FeedBench bench = FeedBench.withoutLog();
        ChangeLogs logs = bench.openLogs();
        Migration migration = open(bench, logs, directory, old, at, Integer.MAX_VALUE)) {
      assertThatThrownBy(() -> migration.drain(false, () -> false)).hasMessageContaining("loaded");
      assertThat(migration.load(() -> load(bench, directory.resolve("jobs"), backup))).isEmpty();
      Position from = migration.finish(Duration.ofDays(1));
      assertThat(migration.finish(Duration.ofDays(1))).isEqualTo(from);
      bench.transactions.run(
          tx -> {
            tx.set(FeedBench.row("k3"), FeedBench.column("x"), "three");
            return "";
          });
      ChangeFeed feed = logs.feed(FeedBench.TABLE, from);
      feed.catchUp();
      assertThat(feed.next(10).changes())
          .singleElement()
          .satisfies(change -> assertThat(change.row()).isEqualTo(FeedBench.row("k3")));
    }
  }

  private static String begin(long position) {
    return "{\"table\":\"t\",\"resolved\":\"%1$d\",\"position\":\"%1$d\"}\n".formatted(position);
  }

  /** The old system puts another file in the place of the one it was writing. */
  @Test
  void aSourceThatBeginsAfterWhatWasBufferedIsRefused() throws IOException {
    OldSystem old = new OldSystem(directory.resolve("feed.jsonl"));
    Path backup = old.backup(directory.resolve("backup.jsonl"));
    old.write("k1", "one");
    Position at = Position.after(100);
    try (FeedBench bench = FeedBench.withoutLog();
        ChangeLogs logs = bench.openLogs()) {
      try (Migration migration = open(bench, logs, directory, old, at, Integer.MAX_VALUE)) {
        assertThat(migration.load(() -> load(bench, directory.resolve("jobs"), backup))).isEmpty();
        migration.drain(false, () -> false);
      }
      old.write("k2", "two");
      Files.writeString(old.feed, begin(old.position));
      old.write("k3", "three");
      try (Migration migration = open(bench, logs, directory, old, at, Integer.MAX_VALUE)) {
        assertThatThrownBy(() -> migration.drain(false, () -> false))
            .isInstanceOf(ChangesException.class)
            .hasMessageContaining("would be lost");
        assertThatThrownBy(() -> migration.finish(Duration.ofDays(1)))
            .isInstanceOf(ChangesException.class);
      }
      assertThat(logs.list()).isEmpty();
      assertThat(bench.table()).isEqualTo(Map.of("k1", "x=one"));
      Files.writeString(old.feed, begin(100));
      old.position = 101;
      old.write("k2", "two");
      old.write("k3", "three");
      try (Migration migration = open(bench, logs, directory, old, at, Integer.MAX_VALUE)) {
        migration.drain(false, () -> false);
        assertThat(bench.table()).isEqualTo(old.asText());
        // While the process runs, too: with and without what was not read.
        Files.writeString(old.feed, begin(old.position));
        old.write("k4", "four");
        migration.drain(false, () -> false);
        assertThat(bench.table()).isEqualTo(old.asText());
        old.write("k5", "not read");
        Files.writeString(old.feed, begin(old.position));
        old.write("k6", "six");
        assertThatThrownBy(() -> migration.drain(false, () -> false))
            .isInstanceOf(ChangesException.class);
      }
    }
    FileSource source = new FileSource(old.feed);
    source.next(Position.after(old.position - 1), 10);
    Files.writeString(old.feed, begin(old.position + 1));
    assertThatThrownBy(() -> source.next(Position.after(old.position), 10))
        .isInstanceOf(ChangesException.class)
        .hasMessageContaining("would be lost");
  }

  /** Fault 87. */
  @Test
  void aFileOfAnotherDatabaseIsNotReadOn() throws IOException {
    Path file = directory.resolve("changes");
    String line =
        "{\"table\":\"t\",\"row\":\"r\",\"columns\":{\"f:q\":\"v\"},\"position\":\"%d@%016x\"}%n";
    Files.writeString(file, line.formatted(1, 7) + line.formatted(2, 7) + line.formatted(3, 8));
    // A restored database has gone on with the file, where its history is the same.
    Position second = new FileSource(file).next(Position.after(1), 1).position();
    assertThat(second).isEqualTo(Position.parse("2@0000000000000007"));
    FileSource source = new FileSource(file);
    assertThat(source.next(second, 9).position()).hasToString("3@0000000000000008");
    Files.writeString(file, line.formatted(1, 9) + line.formatted(2, 9) + line.formatted(3, 9));
    for (FileSource each : List.of(source, new FileSource(file))) {
      assertThatThrownBy(() -> each.next(second, 9))
          .isInstanceOf(ChangesException.class)
          .hasMessageContaining("another database");
    }
  }

  /** Fault 87: it would be passed over as if it had been read; a repeated line is. */
  @Test
  void aRowBehindAHigherOneOfItsTransactionIsRefused() throws IOException {
    OldSystem old = new OldSystem(directory.resolve("feed.jsonl"));
    Position begin = Position.after(old.position);
    group(old, 200, 0, 2);
    group(old, 200, 0, 2);
    group(old, 201, 5, 6);
    FileSource source = new FileSource(old.feed);
    ChangeBatch read = source.next(begin, 9);
    assertThat(read.changes()).hasSize(3);
    group(old, 201, 3, 4);
    for (FileSource each : List.of(source, new FileSource(old.feed))) {
      for (Position after : List.of(read.position(), begin, read.position())) {
        assertThatThrownBy(() -> each.next(after, 9))
            .isInstanceOf(ChangesException.class)
            .hasMessageContaining("in the order of their bytes");
      }
    }
  }

  private static void group(OldSystem old, long position, int from, int to) throws IOException {
    String line = "{\"table\":\"t\",\"row\":\"%s\",\"position\":\"%d/%s\",";
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      String key = "k%04d".formatted(i);
      String value = "v" + position;
      old.rows.put(key, value);
      lines.append(
          (line + "\"columns\":{\"f:x\":\"%s\"}}\n")
              .formatted(key, position, Bytes.of(key).toHex(), value));
    }
    old.append(lines.toString());
  }

  /** A snapshot here shows all of a transaction of the old system or nothing of it. */
  @Test
  void aTransactionOfTheOldSystemIsAppliedAsOne() throws IOException {
    OldSystem old = new OldSystem(directory.resolve("feed.jsonl"));
    old.write("k", "backup");
    Path backup = old.backup(directory.resolve("backup.jsonl"));
    try (FeedBench bench = FeedBench.withoutLog();
        ChangeLogs logs = bench.openLogs();
        Migration migration =
            Migration.open(
                bench.transactions,
                bench.seams,
                logs,
                new FileSource(old.feed),
                directory.resolve("migration"),
                FeedBench.TABLE,
                Position.after(old.position))) {
      migration.load(() -> load(bench, directory.resolve("jobs"), backup));
      group(old, 200, 0, 3);
      group(old, 201, 0, 600);
      migration.drain(false, () -> false);
      // What comes of 201 is not known to be all.
      assertThat(bench.table()).hasSize(4).containsEntry("k0001", "x=v200");
      group(old, 201, 600, 1200);
      migration.drain(false, () -> false);
      assertThat(bench.table()).hasSize(4);
      group(old, 202, 0, 2);
      migration.drain(false, () -> false);
      assertThat(bench.table()).hasSize(1201).containsEntry("k0001", "x=v201");
      assertThat(commits(bench, "k0000")).isEqualTo(commits(bench, "k1199"));
      old.append(begin(202));
      migration.drain(false, () -> false);
      assertThat(bench.table()).containsEntry("k0001", "x=v202");
      group(old, 203, 0, 2);
      migration.finish(Duration.ofDays(1));
      assertThat(bench.table()).isEqualTo(old.asText());
    }
  }

  private static long commits(FeedBench bench, String key) {
    try (Snapshot now = bench.transactions.snapshot()) {
      return now.lastChanged(FeedBench.row(key), FeedBench.column("x")).orElseThrow();
    }
  }
}
