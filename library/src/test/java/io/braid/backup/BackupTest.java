package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.indexes.Index;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a database that is written meanwhile; crashes while they are made and restored. */
class BackupTest {
  private static final Column<Long> BALANCE = Column.of("balance", "usd", Codecs.int64());
  private static final int ACCOUNTS = 20;
  private static final long EACH = 100;

  @TempDir Path dir;

  /** As a crash: nothing that would clean up runs. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  private static final Backup QUIET = new Backup((step, bytes) -> {});

  private Braid open(String name) {
    return Braid.open(
        dir.resolve(name), BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB"));
  }

  private static Row account(int n) {
    return Row.of("accounts", "account" + n);
  }

  private static void fill(Braid db) {
    db.ensureTable("accounts", "balance");
    db.ensureTable("big", "f");
    db.run(
        tx -> {
          for (int i = 0; i < ACCOUNTS; i++) {
            tx.set(account(i), BALANCE, EACH);
          }
          tx.set(Row.of("big", "r"), Column.of("f", "q", Codecs.utf8()), "x".repeat(1 << 20));
          return true;
        });
  }

  private static long move(Braid db, int step) {
    return db.run(
        tx -> {
          Row from = account(step % ACCOUNTS);
          Row to = account((step * 7 + 1) % ACCOUNTS);
          if (from.equals(to)) {
            return tx.timestamp();
          }
          tx.set(from, BALANCE, tx.get(from, BALANCE).orElse(0L) - 1);
          tx.set(to, BALANCE, tx.get(to, BALANCE).orElse(0L) + 1);
          return tx.commit();
        });
  }

  private static long sum(Braid db) {
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of("accounts").family("balance"))) {
      long sum = 0;
      while (rows.hasNext()) {
        sum += rows.next().get(BALANCE).orElse(0L);
      }
      return sum;
    }
  }

  /** The money in a backup is what there is, and what was acknowledged before is in it. */
  @Test
  void aBackupIsOfOneMomentWhileWritersGoOn() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong acknowledged = new AtomicLong();
    Row last = Row.of("accounts", "last");
    Column<Long> version = Column.of("balance", "version", Codecs.int64());
    try (Braid db = open("data")) {
      fill(db);
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; !stop.get(); i++) {
                  move(db, i);
                  long n = i;
                  db.run(
                      tx -> {
                        tx.set(last, version, n);
                        return true;
                      });
                  acknowledged.set(n);
                }
              });
      writer.start();
      while (acknowledged.get() < 50) {
        Thread.onSpinWait();
      }
      long before = acknowledged.get();
      Backup.Contents made = QUIET.create(db, dir.resolve("backup"));
      stop.set(true);
      writer.join();
      assertThat(made.rows()).containsEntry("accounts", ACCOUNTS + 1L).containsEntry("big", 1L);
      assertThat(QUIET.verify(dir.resolve("backup")).bytes()).isEqualTo(made.bytes());
      assertThatThrownBy(() -> QUIET.create(db, dir.resolve("backup")))
          .isInstanceOfSatisfying(
              BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
          .hasMessageContaining("nothing is overwritten");
      assertThatThrownBy(() -> QUIET.restore(dir.resolve("backup"), dir.resolve("data")))
          .hasMessageContaining("nothing is overwritten");
      assertThat(QUIET.restore(dir.resolve("backup"), dir.resolve("copy")).rows())
          .isEqualTo(made.rows());
      try (Braid copy = open("copy");
          Snapshot now = copy.snapshot()) {
        assertThat(sum(copy)).isEqualTo(ACCOUNTS * EACH);
        assertThat(now.get(last, version).orElseThrow()).isGreaterThanOrEqualTo(before);
        assertThat(move(copy, 1)).isGreaterThan(made.timestamp());
      }
    }
    assertThat(names()).containsExactlyInAnyOrder("data", "backup", "copy");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aCrashAtAnyStepLeavesNothingThatLooksWhole() throws IOException {
    try (Braid db = open("data")) {
      fill(db);
      Path backup = dir.resolve("backup");
      int crashes = 0;
      while (crashed(crashes, progress -> new Backup(progress).create(db, backup))) {
        assertThat(backup).doesNotExist();
        crashes++;
      }
      assertThat(crashes).isGreaterThan(5);
      assertThat(QUIET.verify(backup).files()).isPositive();
      int restores = 0;
      Path copy = dir.resolve("copy");
      while (crashed(restores, progress -> new Backup(progress).restore(backup, copy))) {
        assertThat(copy).doesNotExist();
        restores++;
      }
      assertThat(restores).isGreaterThan(2);
    }
    try (Braid copy = open("copy")) {
      assertThat(sum(copy)).isEqualTo(ACCOUNTS * EACH);
    }
  }

  private interface Work {
    void run(Backup.Progress progress);
  }

  /** Whether it crashed, when it is to crash at this step. */
  private static boolean crashed(int step, Work work) {
    int[] left = {step};
    try {
      work.run(
          (what, bytes) -> {
            if (left[0]-- == 0) {
              throw new Crash();
            }
          });
      return false;
    } catch (Crash e) {
      return true;
    }
  }

  /** All rows as of one timestamp, which comes back in a directory and in any other store. */
  @Test
  void aBackupOfRowsIsOfOneTimestampAndFitsAnyStore() throws Exception {
    Path backup = dir.resolve("backup");
    Path increment = dir.resolve("increment");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong moved = new AtomicLong();
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      fill(db);
      db.ensureTable("orders", Protocol.OMID, "f");
      db.indexes().create("by-usd", "accounts", BALANCE.name(), Index.Kind.GLOBAL, seen -> {});
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; !stop.get(); i++) {
                  move(db, i);
                  moved.incrementAndGet();
                }
              });
      writer.start();
      while (moved.get() < 50) {
        Thread.onSpinWait();
      }
      Backup.Contents made = QUIET.create(db, backup);
      stop.set(true);
      writer.join();
      assertThat(made.rows())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("accounts", (long) ACCOUNTS, "big", 1L, "orders", 0L));
      assertThat(db.transactions().pins()).isEmpty();
      db.run(
          tx -> {
            tx.set(Row.of("orders", "o"), Column.of("f", "q", Codecs.utf8()), "late");
            return true;
          });
      QUIET.increment(db, backup, increment);
      assertThatThrownBy(() -> QUIET.restoreInto(db, backup, List.of()))
          .hasMessageContaining("nothing is overwritten");
    }
    assertThat(QUIET.restore(backup, dir.resolve("copy")).rows()).containsEntry("orders", 0L);
    try (Braid copy = open("copy")) {
      assertThat(sum(copy)).isEqualTo(ACCOUNTS * EACH);
      assertThat(copy.tables().protocol("orders")).isEqualTo(Protocol.OMID);
      QUIET.create(copy, dir.resolve("of-files"));
      QUIET.createOfRows(copy, dir.resolve("of-rows"));
    }
    try (Braid other = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      assertThatThrownBy(() -> QUIET.restoreInto(other, dir.resolve("of-files"), List.of()))
          .hasMessageContaining("is no backup of rows");
      assertThatThrownBy(() -> QUIET.restoreInto(other, increment, List.of()))
          .hasMessageContaining("is no backup of rows");
      // The copy went its own way: what is of the source does not fit its backup.
      assertThatThrownBy(() -> QUIET.restoreInto(other, dir.resolve("of-rows"), List.of(increment)))
          .hasMessageContaining("was not made since");
      assertThat(QUIET.restoreInto(other, backup, List.of(increment)).rows())
          .containsEntry("orders", 1L);
      assertThat(sum(other)).isEqualTo(ACCOUNTS * EACH);
      assertThat(move(other, 1)).isPositive();
    }
  }

  @Test
  void aBackupOfRowsThatIsDamagedOrBreaksOffLeavesNoTable() throws IOException {
    Path backup = dir.resolve("backup");
    try (Braid db = open("data")) {
      fill(db);
      QUIET.createOfRows(db, backup);
    }
    try (Braid other = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      Backup breaking =
          new Backup(
              (step, done) -> {
                if (step.startsWith("applying")) {
                  throw new IllegalStateException("It breaks off here.");
                }
              });
      assertThatThrownBy(() -> breaking.restoreInto(other, backup, List.of()))
          .hasMessageContaining("breaks off");
      Path file = backup.resolve("0.jsonl");
      String text = Files.readString(file);
      Files.writeString(file, text.substring(0, text.length() / 2));
      assertThatThrownBy(() -> QUIET.restoreInto(other, backup, List.of()))
          .hasMessageContaining("is damaged");
      assertThatThrownBy(() -> QUIET.restore(backup, dir.resolve("copy")))
          .hasMessageContaining("is damaged");
      assertThat(dir.resolve("copy")).doesNotExist();
      Files.writeString(file, text);
      assertThat(QUIET.restoreInto(other, backup, List.of()).rows()).containsEntry("big", 1L);
    }
  }

  @Test
  void aDamagedBackupIsRefusedBeforeAnythingIsThere() throws IOException {
    Path backup = dir.resolve("backup");
    try (Braid db = open("data")) {
      fill(db);
      QUIET.create(db, backup);
    }
    Path largest;
    try (Stream<Path> files = Files.walk(backup.resolve("store"))) {
      largest = files.filter(f -> f.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(largest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(largest, bytes);
    assertThatThrownBy(() -> QUIET.restore(backup, dir.resolve("copy")))
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining("is damaged");
    assertThat(names()).containsExactlyInAnyOrder("data", "backup");
    Path manifest = backup.resolve("MANIFEST");
    Files.writeString(manifest, Files.readString(manifest).replace("rocksdb/", "../"));
    assertThatThrownBy(() -> QUIET.verify(backup)).hasMessageContaining("MANIFEST is damaged");
    assertThatThrownBy(() -> QUIET.verify(dir)).hasMessageContaining("There is no backup");
  }

  /** Fault 68: a process that dies while it makes a backup leaves nothing pinned for ever. */
  @Test
  void thePinOfABackupGoesWithItsProcess() {
    try (Braid db = open("data")) {
      fill(db);
      long now = move(db, 1);
      db.transactions().pin("backup-" + now + "/" + "a process of long ago", now);
      db.transactions().pin("backup-mine", now);
      new Backup(
              (step, bytes) ->
                  assertThat(db.transactions().pins())
                      .as(step)
                      .hasSizeLessThanOrEqualTo(2)
                      .anyMatch(pin -> pin.name().equals("backup-mine")))
          .createOfRows(db, dir.resolve("rows"));
      assertThat(db.transactions().pins())
          .extracting(Transactions.Pin::name)
          .containsExactly("backup-mine");
    }
  }

  /** The table of an index is there before the index is, and after it. */
  @Test
  void aTableWithoutFamiliesOfUsersIsNoneOfTheRows() {
    try (Braid db = open("data")) {
      fill(db);
      db.store().ensureTable(Families.transactional("ix", List.of()).merge(Families.indexed("ix")));
      QUIET.createOfRows(db, dir.resolve("rows"));
    }
    try (Braid copy = restored("rows")) {
      assertThat(sum(copy)).isEqualTo(ACCOUNTS * EACH);
    }
  }

  private Braid restored(String backup) {
    QUIET.restore(dir.resolve(backup), List.of(), dir.resolve("copy"));
    return open("copy");
  }
}
