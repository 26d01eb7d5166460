package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Connector;
import io.braid.backup.SnapshotBackup;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Snapshots of a real HBase while money moves between tables, of either protocol: what is made out
 * of them is the database as of one timestamp.
 */
class SnapshotBackupIT {
  private static final SnapshotBackup BACKUP = new SnapshotBackup((step, done) -> {});
  private static final Column<Long> MONEY = Column.of("f", "money", Codecs.int64());
  private static final List<String> SIDES = List.of("left", "right");
  private static final int ACCOUNTS = 20;
  private static final long EACH = 100;
  private static final int WRITERS = 4;

  private volatile boolean stop;

  private static HBaseOptions in(String namespace) {
    return HBaseOptions.DEFAULT.withNamespace(namespace);
  }

  private static Braid open(String namespace) {
    return Braid.over(
        HBaseStore.connect(LocalCluster.configuration(), in(namespace)), BraidConfig.defaults());
  }

  private static Connector.ExclusiveDatabase vacant(String namespace) {
    return new Connector.ExclusiveDatabase(
        HBaseStore.connectToThaw(LocalCluster.configuration(), in(namespace)), List::of, () -> {});
  }

  private static Row account(Protocol protocol, String side, int number) {
    return Row.of(side + "-" + protocol.word(), String.format("%02d", number));
  }

  private static void fill(Braid db) {
    for (Protocol protocol : Protocol.values()) {
      for (String side : SIDES) {
        String table = side + "-" + protocol.word();
        db.ensureTable(table, protocol, "f");
        db.store().splitTablet(table, Bytes.of(String.format("%02d", ACCOUNTS / 2)));
        db.run(
            tx -> {
              for (int i = 0; i < ACCOUNTS; i++) {
                tx.set(account(protocol, side, i), MONEY, EACH);
              }
              return 0;
            });
      }
    }
    db.indexes().create("by-money", "left-percolator", MONEY.name(), Index.Kind.GLOBAL, n -> {});
  }

  private Void move(Braid db, int seed) {
    Random random = new Random(seed);
    while (!stop) {
      Protocol protocol = Protocol.values()[random.nextInt(Protocol.values().length)];
      Row from = account(protocol, SIDES.get(random.nextInt(2)), random.nextInt(ACCOUNTS));
      Row to = account(protocol, SIDES.get(random.nextInt(2)), random.nextInt(ACCOUNTS));
      long amount = random.nextInt(20);
      if (!from.equals(to)) {
        db.run(
            tx -> {
              tx.set(from, MONEY, tx.get(from, MONEY).orElseThrow() - amount);
              tx.set(to, MONEY, tx.get(to, MONEY).orElseThrow() + amount);
              return 0;
            });
      }
    }
    return null;
  }

  private static List<RowValues> rows(Snapshot at, Protocol protocol) {
    List<RowValues> found = new ArrayList<>();
    for (String side : SIDES) {
      try (RowCursor rows = at.scan(Scan.of(side + "-" + protocol.word()).family("f"))) {
        while (rows.hasNext()) {
          found.add(rows.next());
        }
      }
    }
    return found;
  }

  private static List<String> judged(Snapshot at) {
    List<String> all = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      List<RowValues> rows = rows(at, protocol);
      assertThat(rows.stream().mapToLong(row -> row.get(MONEY).orElseThrow()).sum())
          .as("the money of %s", protocol)
          .isEqualTo(2 * ACCOUNTS * EACH);
      rows.forEach(row -> all.add(row.row() + " " + row.values()));
    }
    return all;
  }

  private static void requireNothingAbove(CellStore store, long timestamp) {
    for (Protocol protocol : Protocol.values()) {
      for (String side : SIDES) {
        Selection data = new Selection("f", null, timestamp + 1, Long.MAX_VALUE, 9);
        try (RowScanner scanner =
            store.scan(
                ScanRequest.of(
                    side + "-" + protocol.word(),
                    KeyRange.ALL,
                    data,
                    Selection.family(Families.INTENT)))) {
          assertThat(scanner.next()).isNull();
        }
      }
    }
  }

  @Test
  void snapshotsOfAllTablesBecomeTheDatabaseAsOfOneTimestamp() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    SnapshotBackup.BackupInfo taken;
    List<String> expected;
    try (Braid db = open("kept")) {
      fill(db);
      List<Future<Void>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int seed = i;
        Callable<Void> work = () -> move(db, seed);
        writers.add(threads.submit(work));
      }
      try {
        taken = BACKUP.create(db, "monday");
      } finally {
        stop = true;
      }
      for (Future<Void> each : writers) {
        each.get();
      }
      try (Snapshot then = db.transactions().snapshotAt(taken.timestamp());
          Snapshot now = db.snapshot()) {
        expected = judged(then);
        assertThat(judged(now)).as("writers went on").isNotEqualTo(expected);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(taken.whole()).isTrue();
    try (Connector.ExclusiveDatabase into = vacant("kept")) {
      assertThatThrownBy(() -> BACKUP.restore(into, "monday"))
          .isInstanceOfSatisfying(
              BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKUP))
          .hasMessageContaining("nothing is overwritten");
    }
    restoreTwice(taken);
    try (Braid db = open("thawed");
        Snapshot now = db.snapshot()) {
      requireNothingAbove(db.store(), taken.timestamp());
      assertThat(judged(now)).isEqualTo(expected);
      assertThat(db.oracle().next()).isGreaterThan(taken.timestamp());
      Row row = account(Protocol.PERCOLATOR, "left", 3);
      long money = now.get(row, MONEY).orElseThrow();
      assertThat(db.indexes().find(now, "left-percolator", MONEY, money)).contains(row);
      stop = false;
      Thread writing = new Thread(() -> move(db, 9));
      writing.start();
      Thread.sleep(500);
      stop = true;
      writing.join();
      try (Snapshot later = db.snapshot()) {
        assertThat(judged(later)).as("it can be written").isNotEqualTo(expected);
      }
      BACKUP.delete(db, "monday");
      assertThat(SnapshotBackup.list(db.store())).isEmpty();
    }
  }

  /** The first one dies when some of its tables are there, and torn: nobody gets to see them. */
  private static void restoreTwice(SnapshotBackup.BackupInfo taken) {
    try (Connector.ExclusiveDatabase into = vacant("thawed")) {
      HBaseStore store = (HBaseStore) into.store();
      store.beginThaw("monday", 0);
      store.thaw(
          store.frozen("braid.monday.").stream()
              .filter(each -> each.table().isEmpty() || each.table().equals("left-omid"))
              .toList());
      assertThatThrownBy(() -> open("thawed"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is being restored from snapshot monday");
    }
    try (Connector.ExclusiveDatabase into = vacant("thawed")) {
      assertThat(BACKUP.restore(into, "monday")).isEqualTo(taken);
    }
  }
}
