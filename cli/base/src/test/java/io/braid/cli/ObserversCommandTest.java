package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.cli.command.ExitCode;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.observers.Observer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObserversCommandTest {
  private static final Column<String> A = Column.of("f", "a", Codecs.utf8());
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path dir;

  private CommandRun onData(String line) {
    return CommandRun.of(line + " --data " + dir);
  }

  private Braid application(boolean broken) {
    BraidConfig config = BraidConfig.defaults().with("observers.attempts", "2");
    Braid db = Braid.open(dir, config);
    db.ensureTable("t", "f");
    db.observe(
        Observer.of(
            "fragile",
            "t",
            A,
            (tx, row) -> {
              if (broken) {
                throw new IllegalStateException("no such word");
              }
            }));
    db.startWorkers();
    return db;
  }

  private void leaveTwoDeadLetters() {
    try (Braid db = application(true)) {
      for (String key : new String[] {"r", "\u00fc\\"}) {
        db.run(
            tx -> {
              tx.set(Row.of("t", key), A, "v");
              return true;
            });
      }
      assertThat(db.awaitObserversIdle(LONG)).isTrue();
    }
  }

  @Test
  void deadLettersAreListedAndReplayed() {
    leaveTwoDeadLetters();

    assertThat(onData("observers list").out())
        .contains("fragile  t/f:a  pending: 0  dead letters: 2");
    CommandRun letters = onData("observers dead-letters --json");
    assertThat(letters.out().lines()).hasSize(2);
    assertThat(letters.out())
        .contains("\"attempts\":2", "\"observer\":\"fragile\"", "no such word", "\"row\":\"r\"");

    assertThat(onData("observers replay fragile r").out()).contains("Replayed 1 dead letter.");
    CommandRun again = onData("observers replay fragile r");
    assertThat(letters.out()).contains("\"row\":\"\u00fc\\\\\\\\\"");
    assertThat(again.code()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains("fragile has no dead letter on r");
    assertThat(onData("observers list --json").out())
        .contains("\"pending\":1", "\"dead_letters\":1", "\"column\":\"f:a\"");
    assertThat(onData("observers replay fragile \u00fc\\\\ --json").out())
        .as("what is shown can be typed")
        .contains("\"replayed\":1");

    try (Braid db = application(false)) {
      assertThat(db.awaitObserversIdle(LONG)).isTrue();
      assertThat(db.observerStats().runs()).isEqualTo(2);
    }
    assertThat(onData("observers dead-letters").out()).isEmpty();
  }

  @Test
  void aPausedObserverRestsUntilItIsResumed() {
    leaveTwoDeadLetters();
    assertThat(onData("observers pause fragile").out()).contains("Observer fragile is paused.");
    assertThat(onData("observers list").out()).contains("PAUSED");
    assertThat(onData("observers list --json").out()).contains("\"paused\":true");
    onData("observers replay fragile");
    try (Braid db = application(false)) {
      assertThat(db.awaitObserversIdle(LONG)).isTrue();
      assertThat(db.observerStats().runs()).isZero();
    }

    assertThat(onData("observers resume fragile --json").out()).contains("\"paused\":false");
    try (Braid db = application(false)) {
      assertThat(db.awaitObserversIdle(LONG)).isTrue();
      assertThat(db.observerStats().runs()).isEqualTo(2);
    }
    assertThat(onData("observers pause nobody").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void rowsThatAreOlderThanTheirObserverAreBackfilled() {
    onData("table create t f");
    onData("set t r f:a old");
    onData("set t s f:a old");
    application(false).close();

    CommandRun backfill = onData("observers backfill fragile");
    assertThat(backfill.out())
        .contains("Backfill of fragile: done, 2 rows looked at, 2 made pending.");
    assertThat(onData("observers list").out()).contains("pending: 2", "backfill: done");
    try (Braid db = application(false)) {
      assertThat(db.awaitObserversIdle(LONG)).isTrue();
      assertThat(db.observerStats().runs()).isEqualTo(2);
    }
    assertThat(onData("observers backfill fragile --again --json").out())
        .contains("\"rows\":2", "\"made_pending\":0");
  }

  @Test
  void anObserverWhoseApplicationIsGoneIsDropped() {
    application(false).close();
    assertThat(onData("observers drop fragile --json").out()).contains("\"dropped\":true");
    assertThat(onData("observers list").err()).contains("no observers are registered");
    onData("set t r f:a unheard");
    assertThat(onData("raw t r").out()).doesNotContain("~notify");
    assertThat(onData("observers drop fragile").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void mistakesAreExplained() {
    onData("table create t f");
    assertThat(onData("observers list").err()).contains("no observers are registered");
    CommandRun unknown = onData("observers dead-letters nobody");
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("There is no observer nobody; registered are: none.");
    CommandRun both = onData("observers replay fragile --all");
    assertThat(both.code()).isEqualTo(ExitCode.USAGE);
    assertThat(both.err()).contains("Name an observer, or give --all, but not both.");
    CommandRun noCode = onData("observers replay --all --run");
    assertThat(noCode.code()).isEqualTo(ExitCode.USAGE);
    assertThat(noCode.err()).contains("has the code of the web index only");
  }
}
