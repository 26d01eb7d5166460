package io.braid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Connector;
import io.braid.Setting;
import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeFeed;
import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.FrozenTables;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.time.Lineage;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.Group;
import io.braid.indexes.Index;
import io.braid.observers.Observer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tables are frozen one after another while transactions write all of them; what is made out of the
 * copies is the database as of one timestamp.
 */
class SnapshotBackupTest {
  private static final SnapshotBackup BACKUP = new SnapshotBackup((step, done) -> {});
  private static final BraidConfig CONFIG = BraidConfig.defaults().with(Setting.GC_INTERVAL, "off");
  private static final Column<Long> N = Column.of("f", "n", Codecs.int64());
  private static final Column<Long> SEEN = Column.of("f", "seen", Codecs.int64());
  private static final Column<Bytes> BIG = Column.of("f", "big", Codecs.bytes());

  private final FreezableStore.Cluster cluster = new FreezableStore.Cluster();
  private final FreezableStore store = new FreezableStore(cluster);
  private final AtomicInteger round = new AtomicInteger();

  private static Connector.ExclusiveDatabase vacant(FreezableStore into, String... others) {
    return new Connector.ExclusiveDatabase(into, () -> List.of(others), () -> {});
  }

  private Braid open() {
    Braid db = Braid.over(store, CONFIG);
    for (Protocol protocol : Protocol.values()) {
      for (String side : List.of("left", "right")) {
        db.ensureTable(side + "-" + protocol.word(), protocol, "f");
      }
    }
    return db;
  }

  /** Both tables of a protocol, in one transaction: new rows, old rows, large values, deletions. */
  private void write(Braid db, Protocol protocol) {
    int n = round.incrementAndGet();
    db.run(
        tx -> {
          for (String side : List.of("left", "right")) {
            String table = side + "-" + protocol.word();
            tx.set(Row.of(table, "both"), N, (long) n);
            tx.set(Row.of(table, "new" + n), N, (long) n);
            tx.set(Row.of(table, "big"), BIG, Bytes.of(("" + n).repeat(9_000)));
            tx.delete(Row.of(table, "new" + (n - 3)), N);
          }
          return n;
        });
  }

  private void writeAll(Braid db) {
    for (Protocol each : Protocol.values()) {
      write(db, each);
    }
    db.fast().write(Row.of("left-omid", "fast"), N, (long) round.incrementAndGet());
  }

  private static List<String> rows(Braid db, Snapshot at) {
    List<String> found = new ArrayList<>();
    for (TableSchema schema : db.store().tables()) {
      if (!schema.name().startsWith("~")) {
        Scan scan = Scan.of(schema.name());
        for (String family : db.tables().families(schema.name())) {
          scan = scan.family(family);
        }
        try (RowCursor rows = at.scan(scan)) {
          while (rows.hasNext()) {
            RowValues row = rows.next();
            found.add(row.row() + " " + row.values());
          }
        }
      }
    }
    return found;
  }

  private static List<String> rowsAt(Braid db, long timestamp) {
    try (Snapshot then = db.transactions().snapshotAt(timestamp)) {
      return rows(db, then);
    }
  }

  private static List<String> rowsNow(Braid db) {
    try (Snapshot now = db.snapshot()) {
      return rows(db, now);
    }
  }

  private static List<Cell> cells(CellStore store, String table, String... families) {
    List<Cell> cells = new ArrayList<>();
    List<Selection> all = List.of(families).stream().map(Selection::family).toList();
    try (RowScanner scanner = store.scan(new ScanRequest(table, KeyRange.ALL, all, 0, 100))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        cells.addAll(row.cells());
      }
    }
    return cells;
  }

  private static void requireNothingAbove(CellStore store, long timestamp) {
    for (TableSchema schema : store.tables()) {
      if (schema.has(Families.INTENT)) {
        String table = schema.name();
        assertThat(cells(store, table, Families.INTENT)).as("intents of " + table).isEmpty();
        assertThat(cells(store, table, "f", "f~large", Families.ACK, Families.NOTIFY))
            .as("what stands in " + table)
            .allMatch(cell -> cell.version() <= timestamp);
      }
    }
  }

  @Test
  void whatIsRestoredIsTheDatabaseAsOfOneTimestamp() {
    List<String> expected;
    SnapshotBackup.BackupInfo taken;
    long given;
    try (Braid db = open()) {
      for (int i = 0; i < 5; i++) {
        writeAll(db);
      }
      store.beforeFreeze(table -> writeAll(db));
      taken = BACKUP.create(db, "monday");
      expected = rowsAt(db, taken.timestamp());
      assertThat(rowsNow(db)).isNotEqualTo(expected);
      assertThat(db.transactions().pins()).isEmpty();
      given = db.oracle().next();
    }
    assertThat(taken.tables())
        .containsExactly("left-omid", "left-percolator", "right-omid", "right-percolator");
    assertThat(SnapshotBackup.list(store)).containsExactly(taken);

    FreezableStore into = new FreezableStore(cluster);
    assertThat(BACKUP.restore(vacant(into), "monday")).isEqualTo(taken);
    requireNothingAbove(into, taken.timestamp());
    for (String table : taken.tables()) {
      List<Long> large =
          cells(into, table, "f~large").stream().map(Cell::version).distinct().toList();
      List<Long> named =
          cells(into, table, "f").stream()
              .filter(cell -> cell.column().equals(BIG.name()))
              .map(cell -> CommitRecord.decode(cell.value(), cell.version()).start())
              .toList();
      assertThat(large)
          .as("large values without a record")
          .containsExactlyInAnyOrderElementsOf(named);
    }
    try (Braid db = Braid.over(into, CONFIG)) {
      assertThat(rowsNow(db)).isEqualTo(expected);
      assertThat(db.tables().protocol("left-omid")).isEqualTo(Protocol.OMID);
      assertThat(db.oracle().next()).isGreaterThan(taken.timestamp());
      assertThatThrownBy(() -> db.transactions().snapshotAt(taken.timestamp()))
          .isInstanceOfSatisfying(
              TransactionException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
      assertThat(Lineage.of(db.store(), db.loads().seams().random())).isNotEmpty();
      writeAll(db);
      assertThat(rowsNow(db)).isNotEqualTo(expected);
    }
    assertThat(given).isGreaterThan(taken.timestamp());
  }

  /** What others left: of each protocol one that has committed, and one that never will. */
  @Test
  void whatWasDecidedBelowIsThereAndWhatWasNotIsNot() {
    try (Braid db = open()) {
      writeAll(db);
      long start = db.oracle().next();
      Row primary = Row.of("left-percolator", "primary");
      long commit = db.oracle().next();
      CommitRecord record = new CommitRecord(CommitRecord.Kind.PUT, start, bytes(1));
      put(primary, new Cell(N.name(), commit, record.encode(commit)));
      PrimaryCell decision = new PrimaryCell(primary, N.name());
      put(Row.of("right-percolator", "secondary"), intent(start, decision, 1));
      plantEntry(db, 2);
      store.beforeFreeze(
          table -> {
            if (table.startsWith("right-")) {
              // Began before the timestamp, and writes its first intent only now.
              put(Row.of(table, "late"), intent(start + Timestamp.STEP, decision, 3));
            }
          });
      SnapshotBackup.BackupInfo taken = BACKUP.create(db, "monday");
      FreezableStore into = new FreezableStore(cluster);
      BACKUP.restore(vacant(into), "monday");
      requireNothingAbove(into, taken.timestamp());
      try (Braid restored = Braid.over(into, CONFIG);
          Snapshot now = restored.snapshot()) {
        assertThat(now.get(Row.of("right-percolator", "secondary"), N)).contains(1L);
        assertThat(now.get(Row.of("right-omid", "tentative"), N)).contains(2L);
        assertThat(now.get(Row.of("right-percolator", "late"), N)).isEmpty();
        assertThat(now.get(Row.of("right-omid", "late"), N)).isEmpty();
      }
    }
  }

  /** Of Omid: the entry says that it has committed, its client is gone. */
  private void plantEntry(Braid db, long value) {
    long start = db.oracle().next();
    long commit = db.oracle().next();
    Bytes key = entryKey(start);
    put(
        new Row("~commits", key),
        new Cell(ColumnName.of("~commit", ""), 1, new Encoder(10).varint(commit).finish()));
    put(Row.of("right-omid", "tentative"), intent(start, new CommitEntry("~commits", key), value));
  }

  private static Bytes entryKey(long start) {
    return Bytes.ofInts((int) (start * 0x9E3779B97F4A7C15L >>> 56)).concat(Bytes.ofLong(start));
  }

  private static Bytes bytes(long value) {
    return Codecs.int64().encode(value);
  }

  private static Cell intent(long start, DecisionPoint decision, long value) {
    Intent intent = new Intent(Intent.Kind.PUT, decision, "gone", 1, bytes(value));
    return new Cell(Families.intent(N.name()), start, intent.encode());
  }

  private void put(Row row, Cell cell) {
    store.write(List.of(RowWrite.put(row, cell)), Durability.SYNCED);
  }

  @Test
  void aChangeThatWasPendingIsPendingAgain() {
    Observer observer =
        Observer.of(
            "copy",
            "left-percolator",
            N,
            (tx, row) -> tx.set(row, SEEN, tx.get(row, N).orElse(0L)));
    List<Cell> pending;
    try (Braid db = open()) {
      db.observe(observer);
      write(db, Protocol.PERCOLATOR);
      pending = cells(store, "left-percolator", Families.NOTIFY);
      assertThat(pending).isNotEmpty();
      store.beforeFreeze(
          table -> {
            db.startWorkers();
            write(db, Protocol.PERCOLATOR);
            assertThat(db.awaitObserversIdle(Duration.ofSeconds(30))).isTrue();
          });
      BACKUP.create(db, "monday");
    }
    FreezableStore into = new FreezableStore(cluster);
    BACKUP.restore(vacant(into), "monday");
    assertThat(
            cells(into, "left-percolator", Families.NOTIFY).stream().map(SnapshotBackupTest::place))
        .isEqualTo(pending.stream().map(SnapshotBackupTest::place).toList());
    assertThat(cells(into, "left-percolator", Families.ACK)).isEmpty();
    try (Braid db = Braid.over(into, CONFIG)) {
      db.observe(observer);
      db.startWorkers();
      assertThat(db.awaitObserversIdle(Duration.ofSeconds(30))).isTrue();
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(Row.of("left-percolator", "both"), SEEN)).contains(1L);
      }
    }
  }

  private static String place(Cell cell) {
    return cell.column() + "@" + cell.version();
  }

  @Test
  void indexesFeedsAndGroupsAreOfTheSameTimestamp() {
    SnapshotBackup.BackupInfo taken;
    List<Change> changes;
    try (Braid db = open()) {
      db.indexes().create("by-n", "left-percolator", N.name(), Index.Kind.GLOBAL, done -> {});
      db.changes().keep("left-percolator", Duration.ofHours(1));
      writeAll(db);
      Group group = db.group(List.of(Row.of("right-percolator", "held")));
      store.beforeFreeze(
          table -> {
            write(db, Protocol.PERCOLATOR);
            db.changes("left-percolator", null).catchUp();
          });
      taken = BACKUP.create(db, "monday");
      changes = changes(db).stream().filter(each -> each.commit() <= taken.timestamp()).toList();
      group.close();
    }
    FreezableStore into = new FreezableStore(cluster);
    BACKUP.restore(vacant(into), "monday");
    try (Braid db = Braid.over(into, CONFIG)) {
      try (Snapshot now = db.snapshot()) {
        Row both = Row.of("left-percolator", "both");
        long n = now.get(both, N).orElseThrow();
        assertThat(db.indexes().find(now, "left-percolator", N, n)).contains(both);
        assertThat(db.indexes().find(now, "left-percolator", N, n + 1)).isEmpty();
      }
      assertThat(db.changes().list().get(0).resolved()).isLessThanOrEqualTo(taken.timestamp());
      assertThat(changes(db)).isEqualTo(changes).isNotEmpty();
      assertThat(db.groups().list()).isEmpty();
      db.run(
          tx -> {
            tx.set(Row.of("right-percolator", "held"), N, 1L);
            return 0;
          });
    }
  }

  private static List<Change> changes(Braid db) {
    ChangeFeed feed = db.changes("left-percolator", null);
    feed.catchUp();
    return feed.next(1_000).changes();
  }

  @Test
  void whatIsMissingOrInUseIsRefusedBeforeAnythingChanges() {
    try (Braid db = open()) {
      writeAll(db);
      BACKUP.create(db, "monday");
      refused(() -> BACKUP.create(db, "monday"), "nothing is overwritten");
      refused(() -> BACKUP.create(db, "a.b"), "is no name");
      refused(() -> BACKUP.delete(db, "tuesday"), "There is no snapshot tuesday");
    }
    refused(() -> BACKUP.restore(vacant(store), "monday"), "nothing is overwritten");
    FreezableStore into = new FreezableStore(cluster);
    refused(() -> BACKUP.restore(vacant(into), "tuesday"), "There is no snapshot tuesday");
    refused(() -> BACKUP.restore(vacant(into, "process 7"), "monday"), "in use, by process 7");
    assertThat(into.thawing()).isEmpty();
    FrozenTables.Copy one = into.frozen("braid.monday.").get(1);
    into.removeFrozen(one.name());
    assertThat(SnapshotBackup.list(into).get(0).whole()).isFalse();
    refused(() -> BACKUP.restore(vacant(into), "monday"), "copies are missing");
    assertThat(into.thawing()).isEmpty();
    assertThat(into.tables()).isEmpty();
  }

  private static void refused(Runnable doing, String why) {
    assertThatThrownBy(doing::run)
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
        .hasMessageContaining(why);
  }

  @Test
  void aRestoreThatDiesIsDoneAgain() {
    List<String> expected;
    try (Braid db = open()) {
      writeAll(db);
      store.beforeFreeze(table -> writeAll(db));
      expected = rowsAt(db, BACKUP.create(db, "monday").timestamp());
    }
    FreezableStore into = new FreezableStore(cluster);
    into.failThawing();
    assertThatThrownBy(() -> BACKUP.restore(vacant(into), "monday")).hasMessageContaining("dies");
    assertThat(into.thawing()).isEqualTo("monday");
    refused(() -> BACKUP.restore(vacant(into, "process 7"), "monday"), "in use");
    assertThat(into.thawing()).as("still not whole").isEqualTo("monday");
    BACKUP.restore(vacant(into), "monday");
    assertThat(into.thawing()).isEmpty();
    try (Braid db = Braid.over(into, CONFIG)) {
      assertThat(rowsNow(db)).isEqualTo(expected);
    }
  }

  @Test
  void whatHasNoVersionsDoesNotChangeMeanwhile() {
    try (Braid db = open()) {
      store.beforeFreeze(table -> db.ensureTable("more", "f"));
      refused(() -> BACKUP.create(db, "monday"), "has changed while");
      assertThat(SnapshotBackup.list(store)).isEmpty();
      assertThat(db.transactions().pins()).isEmpty();
      store.beforeFreeze(table -> db.tables().fence("left-omid"));
      refused(() -> BACKUP.create(db, "monday"), "has changed while");
    }
  }
}
