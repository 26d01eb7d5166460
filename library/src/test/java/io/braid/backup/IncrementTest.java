package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup and its increments bring back what the source was at the timestamp of the last one. */
class IncrementTest {
  private static final Column<Bytes> VALUE = Column.of("f", "value", Codecs.bytes());
  private static final Backup QUIET = new Backup((step, done) -> {});
  private static final Bytes EMPTY = Bytes.EMPTY;

  @TempDir Path dir;

  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  private Braid open(String name) {
    return Braid.open(
        dir.resolve(name),
        BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB").with(Setting.ONE_PHASE, "off"));
  }

  private static void change(Braid db, String table, Random random, int times) {
    for (int i = 0; i < times; i++) {
      db.run(
          tx -> {
            for (int n = 0; n < 3; n++) {
              byte[] key = {(byte) random.nextInt(40), (byte) 0xFF};
              Row row = new Row(table, Bytes.wrap(key));
              if (random.nextInt(4) == 0) {
                tx.delete(row, VALUE);
              } else {
                byte[] value = new byte[random.nextInt(20)];
                random.nextBytes(value);
                tx.set(row, VALUE, Bytes.wrap(value));
              }
            }
            return 0;
          });
    }
  }

  /** All that a snapshot shows, as text. */
  private static Map<String, String> all(Braid db, Snapshot at, String... tables) {
    Map<String, String> all = new TreeMap<>();
    for (String table : tables) {
      Scan scan = Scan.of(table);
      for (String family : db.tables().families(table)) {
        scan = scan.family(family);
      }
      try (RowCursor rows = at.scan(scan)) {
        while (rows.hasNext()) {
          RowValues row = rows.next();
          all.put(row.row().toString(), new TreeMap<>(row.values()).toString());
        }
      }
    }
    return all;
  }

  @Test
  void aBackupAndItsIncrementsAreTheSourceAtTheirTimestampWhileWritersGoOn() throws Exception {
    Random random = new Random(7);
    AtomicBoolean stop = new AtomicBoolean();
    Map<String, String> wanted;
    try (Braid db = open("data")) {
      db.ensureTable("fed", "f");
      db.ensureTable("plain", "f");
      db.ensureTable("gone", "f");
      db.ensureTable("omid", Protocol.OMID, "f");
      for (String table : List.of("fed", "omid")) {
        db.changes().keep(table, Duration.ofDays(1));
      }
      for (String table : List.of("fed", "plain", "gone", "omid")) {
        change(db, table, random, 20);
      }
      Thread writer =
          new Thread(
              () -> {
                Random own = new Random(8);
                while (!stop.get()) {
                  change(db, "fed", own, 1);
                  change(db, "omid", own, 1);
                }
              });
      writer.start();
      QUIET.create(db, dir.resolve("full"));
      change(db, "plain", random, 10);
      db.dropTable("gone");
      db.ensureTable("fed", "f", "more");
      db.run(
          tx -> {
            tx.set(Row.of("fed", "late"), Column.of("more", "q", Codecs.utf8()), "x");
            return 0;
          });
      QUIET.increment(db, dir.resolve("full"), dir.resolve("one"));
      db.ensureTable("new", "f");
      change(db, "new", random, 10);
      change(db, "plain", random, 10);
      Backup.Contents last = QUIET.increment(db, dir.resolve("one"), dir.resolve("two"));
      stop.set(true);
      writer.join();
      change(db, "fed", random, 10);
      assertThat(QUIET.verify(dir.resolve("two"))).isEqualTo(last);
      try (Snapshot then = db.transactions().snapshotAt(last.timestamp())) {
        wanted = all(db, then, "fed", "plain", "omid", "new");
      }
      IncrementManifest manifest = IncrementManifest.read(dir.resolve("two"));
      assertThat(manifest.tables())
          .extracting(each -> each.table() + (each.whole() ? " rows" : " changes"))
          .containsExactly("fed changes", "new rows", "omid changes", "plain rows");
    }
    QUIET.restore(
        dir.resolve("full"), List.of(dir.resolve("one"), dir.resolve("two")), dir.resolve("copy"));
    try (Braid copy = open("copy");
        Snapshot now = copy.snapshot()) {
      assertThat(all(copy, now, "fed", "plain", "omid", "new")).isEqualTo(wanted);
      assertThat(copy.store().table("gone")).isEmpty();
      assertThat(copy.tables().protocol("omid")).isEqualTo(Protocol.OMID);
    }
  }

  /** As base64 it is longer than what a reader of JSON takes by itself. */
  @Test
  void theLongestValuesAreInIncrements() throws IOException {
    byte[] bytes = new byte[15_500_000];
    new Random(3).nextBytes(bytes);
    Bytes longest = Bytes.wrap(bytes);
    try (Braid db = open("data")) {
      db.ensureTable("fed", "f");
      db.ensureTable("plain", "f");
      db.changes().keep("fed", Duration.ofDays(1));
      QUIET.create(db, dir.resolve("full"));
      for (String table : List.of("fed", "plain")) {
        db.run(
            tx -> {
              tx.set(Row.of(table, "k"), VALUE, longest);
              return 0;
            });
      }
      QUIET.increment(db, dir.resolve("full"), dir.resolve("one"));
    }
    QUIET.restore(dir.resolve("full"), List.of(dir.resolve("one")), dir.resolve("copy"));
    try (Braid copy = open("copy");
        Snapshot now = copy.snapshot()) {
      for (String table : List.of("fed", "plain")) {
        assertThat(now.get(Row.of(table, "k"), VALUE)).contains(longest);
      }
    }
  }

  @Test
  void aCrashAtAnyKindOfStepLeavesNothingThatLooksWhole() {
    Path full = dir.resolve("full");
    Path increment = dir.resolve("increment");
    Map<String, String> wanted;
    try (Braid db = open("data")) {
      db.ensureTable("fed", "f");
      db.changes().keep("fed", Duration.ofDays(1));
      change(db, "fed", new Random(1), 5);
      QUIET.create(db, full);
      change(db, "fed", new Random(2), 5);
      List<String> crashes = new ArrayList<>();
      while (crashed(crashes, progress -> new Backup(progress).increment(db, full, increment))) {
        assertThat(increment).doesNotExist();
      }
      assertThat(crashes).contains("reading back", "verifying");
      try (Snapshot now = db.snapshot()) {
        wanted = all(db, now, "fed");
      }
    }
    Path copy = dir.resolve("copy");
    List<String> crashes = new ArrayList<>();
    while (crashed(
        crashes, progress -> new Backup(progress).restore(full, List.of(increment), copy))) {
      assertThat(copy).doesNotExist();
      if (Files.exists(dir.resolve("copy.unfinished"))) {
        assertThatThrownBy(() -> open("copy.unfinished"))
            .hasMessageContaining("did not come to its end");
      }
    }
    assertThat(crashes).contains("restoring", "applying changes of rows");
    try (Braid restored = open("copy");
        Snapshot now = restored.snapshot()) {
      assertThat(all(restored, now, "fed")).isEqualTo(wanted);
    }
  }

  private interface Work {
    void run(Backup.Progress progress);
  }

  /** Whether it crashed, when it is to crash at the first step that it has not crashed at. */
  private static boolean crashed(List<String> crashes, Work work) {
    try {
      work.run(
          (what, bytes) -> {
            if (!crashes.contains(what)) {
              crashes.add(what);
              throw new Crash();
            }
          });
      return false;
    } catch (Crash e) {
      return true;
    }
  }

  /**
   * Even a row of very many columns whose values are empty is brought by transactions of a size.
   */
  @Test
  void noTransactionOfARestoreIsLargerThanItsBoundHoweverManyColumnsARowHas() throws IOException {
    int columns = 3_000;
    try (Braid db = open("data")) {
      db.ensureTable("wide", "f");
      QUIET.create(db, dir.resolve("full"));
      db.run(
          tx -> {
            for (int i = 0; i < columns; i++) {
              tx.set(Row.of("wide", "r"), Column.of("f", "column" + i, Codecs.bytes()), EMPTY);
            }
            return 0;
          });
      QUIET.increment(db, dir.resolve("full"), dir.resolve("one"));
    }
    try (Braid db = open("copy")) {
      List<Long> applied = new ArrayList<>();
      int bound = 10_000;
      new IncrementReplay(db, (step, done) -> applied.add(done), bound)
          .apply(dir.resolve("one"), RestoreMoment.END);
      // A column takes at least 128 bytes beside what it has.
      assertThat(applied).hasSizeGreaterThan(columns * 128 / bound);
      try (Snapshot now = db.snapshot()) {
        assertThat(all(db, now, "wide").values()).singleElement().asString().contains("column2999");
        assertThat(now.get(Row.of("wide", "r"), Column.of("f", "column0", Codecs.bytes())))
            .contains(EMPTY);
      }
    }
  }

  @Test
  void whatASourceAllowedIsRestoredThoughItIsMoreThanIsUsual() {
    Row row = new Row("t", Bytes.wrap(new byte[5 << 10]));
    try (Braid db =
        Braid.open(
            dir.resolve("data"),
            BraidConfig.defaults()
                .with(Setting.STORE_MEMORY, "16 MiB")
                .with(Setting.MAX_KEY, "8 KiB"))) {
      db.ensureTable("t", "f");
      QUIET.create(db, dir.resolve("full"));
      db.run(
          tx -> {
            tx.set(row, VALUE, EMPTY);
            return 0;
          });
      QUIET.increment(db, dir.resolve("full"), dir.resolve("one"));
    }
    QUIET.restore(dir.resolve("full"), List.of(dir.resolve("one")), dir.resolve("copy"));
    try (Braid copy = open("copy");
        Snapshot now = copy.snapshot()) {
      assertThat(now.get(row, VALUE)).contains(EMPTY);
    }
  }

  @Test
  void whatDoesNotFitTogetherIsRefusedBeforeAnythingIsThere() throws IOException {
    try (Braid db = open("data")) {
      db.ensureTable("fed", "f");
      db.changes().keep("fed", Duration.ofDays(1));
      QUIET.create(db, dir.resolve("full"));
      change(db, "fed", new Random(2), 5);
      QUIET.increment(db, dir.resolve("full"), dir.resolve("one"));
      QUIET.increment(db, dir.resolve("one"), dir.resolve("two"));
    }
    refused("was not made since", "full", "two");
    refused("name the whole backup first", "one", "two");
    refused("holds no increment", "full", "full");
    Path lines = dir.resolve("one").resolve("0.jsonl");
    Files.writeString(lines, Files.readString(lines).replace("\"table\"", "\"tabla\""));
    refused("is damaged", "full", "one", "two");
    assertThatThrownBy(() -> QUIET.verify(dir.resolve("one"))).hasMessageContaining("is damaged");
  }

  private void refused(String why, String backup, String... increments) {
    List<Path> paths = new ArrayList<>();
    for (String each : increments) {
      paths.add(dir.resolve(each));
    }
    assertThatThrownBy(() -> QUIET.restore(dir.resolve(backup), paths, dir.resolve("copy")))
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining(why);
    assertThat(dir.resolve("copy")).doesNotExist();
  }
}
