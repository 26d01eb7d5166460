package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Lineage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An increment is of the database that its backup is of, or it is refused. */
class LineageTest {
  private static final Column<String> VALUE = Column.of("f", "value", Codecs.utf8());
  private static final Backup QUIET = new Backup((step, done) -> {});
  private static final String OTHER = "is of another database";
  private static final String UNKNOWN = "is not known";

  @TempDir Path dir;

  private Braid open(String name) {
    Braid db =
        Braid.open(dir.resolve(name), BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB"));
    if (db.store().table("t").isEmpty()) {
      db.ensureTable("t", "f");
      db.changes().keep("t", Duration.ofDays(1));
    }
    return db;
  }

  private static void put(Braid db, String row, String value) {
    db.run(
        tx -> {
          tx.set(Row.of("t", row), VALUE, value);
          return 0;
        });
  }

  private void refused(Braid db, String since, String why) {
    assertThatThrownBy(() -> QUIET.increment(db, dir.resolve(since), dir.resolve("bad")))
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining(why)
        .hasMessageContaining("make a whole backup");
    assertThat(dir.resolve("bad")).doesNotExist();
    assertThat(dir.resolve("bad.unfinished")).doesNotExist();
  }

  private void refused(List<String> chain, String why) {
    List<Path> increments = chain.stream().skip(1).map(dir::resolve).toList();
    assertThatThrownBy(
            () -> QUIET.restore(dir.resolve(chain.get(0)), increments, dir.resolve("bad")))
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining(why);
    assertThat(dir.resolve("bad")).doesNotExist();
  }

  private void edit(String folder, UnaryOperator<String> edit) throws IOException {
    Path manifest = dir.resolve(folder).resolve("MANIFEST");
    String text = Files.readString(manifest);
    String lines = edit.apply(text.substring(0, text.indexOf("end crc32c")));
    CRC32C crc = new CRC32C();
    crc.update(lines.getBytes(StandardCharsets.UTF_8));
    Files.writeString(manifest, lines + String.format("end crc32c %08x%n", crc.getValue()));
  }

  private static String withoutLineage(String text) {
    return text.replaceAll("(?m)^lineage .*\n", "")
        .replace("braid-backup 3", "braid-backup 2")
        .replace("braid-increment 2", "braid-increment 1");
  }

  @Test
  void anIncrementSinceABackupOfAnotherDatabaseIsRefused() throws IOException {
    try (Braid one = open("one");
        Braid two = open("two")) {
      put(one, "r", "1");
      QUIET.create(one, dir.resolve("of-one"));
      QUIET.increment(one, dir.resolve("of-one"), dir.resolve("of-one+"));
      QUIET.create(two, dir.resolve("of-two"));
      QUIET.increment(two, dir.resolve("of-two"), dir.resolve("of-two+"));
      refused(two, "of-one", OTHER);
      refused(two, "of-one+", OTHER);
      refused(one, "of-two", OTHER);
    }
    refused(List.of("of-one", "of-two+"), "was not made since");
    // As if somebody had joined the two by hand.
    String base = CheckedCopy.sha256(dir.resolve("of-one").resolve("MANIFEST"));
    edit("of-two+", text -> text.replaceAll("(?m)^base .*$", "base " + base));
    refused(List.of("of-one", "of-two+"), OTHER);
  }

  @Test
  void aRestoredDatabaseIsAnotherOne() {
    try (Braid db = open("data")) {
      put(db, "r", "1");
      QUIET.create(db, dir.resolve("full"));
      put(db, "r", "2");
      QUIET.increment(db, dir.resolve("full"), dir.resolve("more"));
    }
    QUIET.restore(dir.resolve("full"), dir.resolve("copy"));
    QUIET.restore(dir.resolve("full"), List.of(dir.resolve("more")), dir.resolve("both"));
    for (String restored : List.of("copy", "both")) {
      try (Braid db = open(restored)) {
        put(db, "r", "3");
        refused(db, "full", OTHER);
        refused(db, "more", OTHER);
        QUIET.create(db, dir.resolve(restored + "-full"));
        put(db, "r", "4");
        QUIET.increment(db, dir.resolve(restored + "-full"), dir.resolve(restored + "-more"));
      }
    }
    refused(List.of("full", "copy-more"), "was not made since");
    try (Braid db = open("data")) {
      refused(db, "copy-full", OTHER);
      QUIET.increment(db, dir.resolve("more"), dir.resolve("most"));
    }
    QUIET.restore(
        dir.resolve("full"), List.of(dir.resolve("more"), dir.resolve("most")), dir.resolve("all"));
  }

  @Test
  void theIdOutlivesARestart() throws IOException {
    try (Braid db = open("data")) {
      QUIET.create(db, dir.resolve("full"));
    }
    try (Braid db = open("data")) {
      String id = Lineage.of(db.store(), db.loads().seams().random());
      assertThat(BackupManifest.read(dir.resolve("full")).lineage()).isEqualTo(id);
      assertThat(Lineage.of(db.store(), db.loads().seams().random())).isEqualTo(id);
      QUIET.increment(db, dir.resolve("full"), dir.resolve("more"));
    }
  }

  @Test
  void whatDoesNotSayWhatItIsOfIsRestoredButNotContinued() throws IOException {
    try (Braid db = open("data")) {
      put(db, "r", "1");
      QUIET.create(db, dir.resolve("full"));
      edit("full", LineageTest::withoutLineage);
      refused(db, "full", UNKNOWN);
      QUIET.create(db, dir.resolve("other"));
      QUIET.increment(db, dir.resolve("other"), dir.resolve("more"));
      edit("more", LineageTest::withoutLineage);
      refused(db, "more", UNKNOWN);
    }
    refused(List.of("other", "more"), UNKNOWN);
    assertThat(QUIET.verify(dir.resolve("full")).files()).isPositive();
    assertThat(QUIET.verify(dir.resolve("more")).files()).isPositive();
    assertThat(QUIET.restore(dir.resolve("full"), dir.resolve("copy")).rows())
        .containsEntry("t", 1L);
    edit("full", text -> text.replace("braid-backup 2", "braid-backup 3"));
    assertThatThrownBy(() -> QUIET.verify(dir.resolve("full"))).hasMessageContaining("damaged");
  }
}
