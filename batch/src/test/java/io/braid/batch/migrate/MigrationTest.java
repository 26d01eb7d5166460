package io.braid.batch.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.changes.ChangeBatch;
import io.braid.batch.changes.ChangeFeed;
import io.braid.batch.changes.ChangeLogs;
import io.braid.batch.changes.ChangesException;
import io.braid.batch.changes.Position;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
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

/** Algorithm 1: from a live system that has a backup and a feed. Fault 64. */
class MigrationTest {
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

  private static Optional<String> load(Bench bench, Path jobs, Path backup) throws IOException {
    LoadJob job =
        Files.exists(jobs.resolve("backup"))
            ? LoadJob.open(bench.context, jobs, "backup")
            : LoadJob.create(
                bench.context,
                jobs,
                "backup",
                Bench.TABLE,
                List.of(backup),
                Bench.MAPPING,
                Bench.OPTIONS);
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
          try (Bench bench = new Bench();
              ChangeLogs logs = new ChangeLogs(bench.context)) {
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
      Bench bench, ChangeLogs logs, Path home, OldSystem old, Position at, int life)
      throws IOException {
    ChangeSource source = new Dying(new FileSource(old.feed), new int[] {life});
    return Migration.open(bench.context, logs, source, home.resolve("migration"), Bench.TABLE, at);
  }

  @Test
  void aFeedThatBeginsAfterTheBackupIsRefused() throws IOException {
    OldSystem old = new OldSystem(directory.resolve("feed.jsonl"));
    old.write("k1", "v");
    try (Bench bench = new Bench();
        ChangeLogs logs = new ChangeLogs(bench.context)) {
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
    try (Bench bench = new Bench();
        ChangeLogs logs = new ChangeLogs(bench.context);
        Migration migration = open(bench, logs, directory, old, at, Integer.MAX_VALUE)) {
      assertThatThrownBy(() -> migration.drain(false, () -> false)).hasMessageContaining("loaded");
      assertThat(migration.load(() -> load(bench, directory.resolve("jobs"), backup))).isEmpty();
      Position from = migration.finish(Duration.ofDays(1));
      assertThat(migration.finish(Duration.ofDays(1))).isEqualTo(from);
      bench.transactions.run(
          tx -> {
            tx.set(Bench.row("k3"), Bench.column("x"), "three");
            return "";
          });
      ChangeFeed feed = logs.feed(Bench.TABLE, from);
      feed.catchUp();
      assertThat(feed.next(10).changes())
          .singleElement()
          .satisfies(change -> assertThat(change.row()).isEqualTo(Bench.row("k3")));
    }
  }
}
