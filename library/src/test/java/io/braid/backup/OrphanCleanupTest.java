package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.batch.JobException;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.engine.OpenLoads;
import io.braid.batch.job.JobDirectory;
import io.braid.batch.job.JobState;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.Group;
import io.braid.indexes.Index;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fault 90: what lives at a backup, and has a part elsewhere, holds nothing in the restored
 * database; nor in one whose jobs or logs are lost.
 */
class OrphanCleanupTest {
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  private static final Row A = Row.of("t", "a");
  private static final Row B = Row.of("t", "b");
  private static final Backup BACKUP = new Backup((step, bytes) -> {});

  @TempDir Path dir;

  private static void played(Braid db, Protocol protocol) {
    db.ensureTable("t", protocol, "f");
    Group group = db.groups().create(List.of(A, B));
    group.run(
        tx -> {
          tx.set(A, X, "played");
          tx.set(B, X, "played");
          return true;
        });
    group.detach();
  }

  @ParameterizedTest
  @EnumSource
  void rowsOfGroupsAreFreeAndHaveAllThatWasCommitted(Protocol protocol) {
    try (Braid db = Braid.open(dir.resolve("db"))) {
      played(db, protocol);
      BACKUP.create(db, dir.resolve("whole"));
      db.groups().open(db.groups().list().get(0).name()).close();
      set(db, A, "later");
      BACKUP.increment(db, dir.resolve("whole"), dir.resolve("increment"));
    }
    BACKUP.restore(dir.resolve("whole"), dir.resolve("first"));
    BACKUP.restore(dir.resolve("whole"), List.of(dir.resolve("increment")), dir.resolve("second"));
    try (Braid first = Braid.open(dir.resolve("first"));
        Braid second = Braid.open(dir.resolve("second"))) {
      assertThat(get(first, A)).isEqualTo("played");
      assertThat(get(second, A)).isEqualTo("later");
      for (Braid each : List.of(first, second)) {
        assertThat(get(each, B)).isEqualTo("played");
        assertThat(each.groups().list()).isEmpty();
        set(each, A, "free");
        each.dropTable("t");
      }
    }
  }

  /** The folder of the logs is lost, or was not copied. */
  @Test
  void aGroupWithoutItsLogIsGivenUp() throws Exception {
    try (Braid db = Braid.open(dir.resolve("db"))) {
      played(db, Protocol.PERCOLATOR);
    }
    delete(dir.resolve("db/groups"));
    // Leads none, as a copy that is read back: the groups of the copied database are well.
    BraidConfig leadsNone = BraidConfig.defaults().with(Setting.GROUPS, "0");
    try (Braid db = Braid.open(dir.resolve("db"), leadsNone)) {
      Thread.sleep(2_500); // at the second look it would report them
      assertThat(db.groups().list()).allSatisfy(each -> assertThat(each.trouble()).isEmpty());
    }
    try (Braid db = Braid.open(dir.resolve("db"))) {
      var group = db.groups().list().get(0);
      assertThatThrownBy(() -> db.groups().delete(group)).hasMessageContaining("--force");
      db.groups().giveUp(group);
      assertThat(db.groups().list()).isEmpty();
      set(db, A, "free");
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted((a, b) -> b.compareTo(a))
          .forEach(
              each -> {
                try {
                  Files.delete(each);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void loadsThatHadNotEndedAreGivenUp(boolean byFiles) {
    try (Braid db = Braid.open(dir.resolve("db"))) {
      db.ensureTable("t", "f");
      begin(db, "j", byFiles);
      begin(db, "j", !byFiles);
      BACKUP.create(db, dir.resolve("whole"));
    }
    BACKUP.restore(dir.resolve("whole"), dir.resolve("restored"));
    try (Braid db = Braid.open(dir.resolve("restored"))) {
      assertThat(db.transactions().pins()).isEmpty();
      assertThat(new OpenLoads(db.loads()).ofJobs()).isEmpty();
      db.indexes().create("i", "t", X.name(), Index.Kind.GLOBAL, seen -> {});
      db.tables().switchProtocol("t", Protocol.OMID);
      db.dropTable("t");
    }
  }

  private static void begin(Braid db, String id, boolean byFiles) {
    try (Snapshot start = db.snapshot()) {
      db.transactions().pin("load/" + id + "@" + start.timestamp(), start.timestamp());
      if (byFiles) {
        db.store().veil("t", start.timestamp(), false);
      } else {
        new AtomicLoad(
                db.loads(), id, "t", start.timestamp(), Conflicts.NEWER, Duration.ofSeconds(5))
            .begin();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLoadWhoseJobIsLostIsNamedAndEnded(boolean byFiles) {
    try (Braid db = Braid.open(dir.resolve("db"))) {
      db.ensureTable("t", "f");
      begin(db, "lost", byFiles);
      OpenLoads loads = new OpenLoads(db.loads());
      assertThat(loads.ofJobs()).extracting(OpenLoads.OpenLoad::id).containsExactly("lost");
      assertThat(loads.end(loads.find("lost").orElseThrow())).isFalse();
      assertThat(db.transactions().pins()).isEmpty();
      db.dropTable("t");
    }
  }

  /** Nothing is made of a job that could neither run nor be cancelled. */
  @Test
  void aNameThatAnAtomicLoadHadIsRefusedBeforeAnythingIsMade() throws IOException {
    try (Braid db = Braid.open(dir.resolve("db"))) {
      db.ensureTable("t", "f");
      begin(db, "nightly", false);
      int pins = db.transactions().pins().size();
      assertThatThrownBy(() -> job(db, "nightly"))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("choose another id");
      assertThat(db.transactions().pins()).hasSize(pins);
      assertThat(dir.resolve("jobs/nightly/job.json")).doesNotExist();
    }
  }

  @Test
  void aJobWhoseTableIsGoneIsCancelled() throws IOException {
    try (Braid db = Braid.open(dir.resolve("db"))) {
      db.ensureTable("t", "f");
      LoadJob job = job(db, "j");
      db.dropTable("t");
      job.cancel();
      assertThat(JobDirectory.of(dir.resolve("jobs"), "j").state().phase())
          .isEqualTo(JobState.Phase.CANCELLED);
      assertThat(db.transactions().pins()).isEmpty();
    }
  }

  private LoadJob job(Braid db, String id) throws IOException {
    return LoadJob.create(
        db.loads(),
        dir.resolve("jobs"),
        id,
        "t",
        List.of(Files.writeString(dir.resolve("in.csv"), "id,x\nk,1\n")),
        Mapping.ofFamily(List.of("id"), "f"),
        LoadOptions.DEFAULT.atomically());
  }

  private static void set(Braid db, Row row, String value) {
    db.run(
        tx -> {
          tx.set(row, X, value);
          return true;
        });
  }

  private static String get(Braid db, Row row) {
    try (Snapshot now = db.snapshot()) {
      return now.get(row, X).orElse("");
    }
  }
}
