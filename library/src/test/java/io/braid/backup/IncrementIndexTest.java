package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index;
import io.braid.indexes.Index.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What increments bring on its way need not be what the indexes of the backup allow. */
class IncrementIndexTest {
  private static final Column<String> MAIL = Column.of("f", "mail", Codecs.utf8());
  private static final Backup QUIET = new Backup((step, done) -> {});

  @TempDir Path dir;

  private Braid open(String name) {
    return Braid.open(
        dir.resolve(name), BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB"));
  }

  private static void put(Braid db, String row, String mail) {
    db.run(
        tx -> {
          tx.set(Row.of("people", row), MAIL, mail);
          return 0;
        });
  }

  private static void table(Braid db) {
    db.ensureTable("people", "f");
    db.changes().keep("people", Duration.ofDays(1));
    db.indexes().create("mails", "people", MAIL.name(), Kind.UNIQUE, seen -> {});
  }

  private void restore(Backup.Contents increment) {
    Path full = dir.resolve("full");
    assertThat(QUIET.restore(full, List.of(dir.resolve("one")), dir.resolve("copy")).timestamp())
        .isEqualTo(increment.timestamp());
  }

  /** The feed begins before the copy: on the way two rows have one value. */
  @Test
  void aUniqueIndexIsKeptThoughTheChangesBeginBeforeTheCopy() {
    Backup.Contents increment;
    try (Braid db = open("data")) {
      table(db);
      put(db, "ann", "a");
      put(db, "ann", "b");
      put(db, "ann", "c");
      put(db, "bob", "b");
      QUIET.create(db, dir.resolve("full"));
      put(db, "bob", "d");
      increment = QUIET.increment(db, dir.resolve("full"), dir.resolve("one"));
    }
    restore(increment);
    try (Braid copy = open("copy");
        Snapshot now = copy.snapshot()) {
      assertThat(copy.indexes().all()).extracting(Index::name).containsExactly("mails");
      assertThat(copy.indexes().find(now, "people", MAIL, "d"))
          .containsExactly(Row.of("people", "bob"));
      assertThat(copy.indexes().find(now, "people", MAIL, "b")).isEmpty();
    }
  }

  @Test
  void whatAnIndexForbadeThatWasDroppedSinceIsRestored() {
    Backup.Contents increment;
    try (Braid db = open("data")) {
      table(db);
      put(db, "ann", "a");
      QUIET.create(db, dir.resolve("full"));
      db.indexes().drop("mails");
      put(db, "bob", "a");
      db.ensureTable("mails", "f");
      increment = QUIET.increment(db, dir.resolve("full"), dir.resolve("one"));
    }
    restore(increment);
    try (Braid copy = open("copy");
        Snapshot now = copy.snapshot()) {
      assertThat(now.get(Row.of("people", "bob"), MAIL)).contains("a");
      assertThat(copy.tables().families("mails")).containsExactly("f");
      assertThat(copy.indexes().all()).isEmpty();
    }
  }
}
