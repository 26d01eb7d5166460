package io.braid.backup;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Brings tables that were frozen after a timestamp T, each at a moment of its own, back to T.
 *
 * <p>Before the first of them was frozen, everything that committed at or below T had commit
 * records ({@link io.braid.tables.Tables#settle}), and nothing commits at or below T any more. So
 *
 * <ul>
 *   <li>everything above T is removed;
 *   <li>every intent is removed without a question: its transaction commits above T, or not at all.
 *       Rollback marks are removed too: another epoch refuses the late calls that they are for. So
 *       are holds of key groups, whose logs are not here;
 *   <li>a change at or below T that an observer has seen only above T is pending again: its
 *       notification replaces the acknowledgment.
 * </ul>
 *
 * <p>The tables are not in use meanwhile. Every step may be repeated.
 */
final class Rewind {
  private static final int BATCH = 256;

  private final CellStore store;

  private final long to;
  private final Backup.Progress progress;
  private final List<RowWrite> batch = new ArrayList<>();
  private long highest;
  private long rows;

  /**
   * A write of a transaction. The cells that it left, and the notifications of observers about it,
   * have the start of the transaction.
   */
  private record UndoneWrite(ColumnName column, long start) {}

  Rewind(CellStore store, long to, Backup.Progress progress) {
    this.store = store;
    this.to = to;
    this.progress = progress;
    this.highest = to;
  }

  /** The highest version that was met, which need not be there any more. */
  long highest() {
    return highest;
  }

  /** How many rows were changed. */
  long rows() {
    return rows;
  }

  /** Brings a table of transactions back. */
  void transactional(TableSchema schema) {
    List<Selection> selections = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      String name = family.name();
      if (name.equals(Families.INTENT) || name.equals(Families.NOTIFY)) {
        selections.add(Selection.family(name));
      } else if (!name.equals(Families.DEAD_LETTERS)) {
        selections.add(above(name));
      }
    }
    Set<String> large = new LinkedHashSet<>();
    schema.families().stream()
        .filter(each -> each.kind() == Kind.LARGE)
        .forEach(each -> large.add(each.name()));
    scan(schema.name(), KeyRange.ALL, selections, row -> undo(row, large));
  }

  private Selection above(String family) {
    return new Selection(family, null, to + 1, Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** Removes the rows of a change log above the timestamp, by which their keys begin. */
  void changeLog(TableSchema schema) {
    List<Selection> all =
        schema.families().stream().map(each -> Selection.family(each.name())).toList();
    scan(schema.name(), new KeyRange(Bytes.ofLong(to + 1), null), all, this::removeAll);
  }

  private interface Visitor {
    void visit(RowCells row);
  }

  private void scan(String table, KeyRange range, List<Selection> selections, Visitor visitor) {
    try (RowScanner scanner = store.scan(new ScanRequest(table, range, selections, 0, BATCH))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        visitor.visit(row);
        if (batch.size() >= BATCH) {
          write();
        }
      }
    }
    write();
  }

  private void removeAll(RowCells row) {
    List<Removal> removals = new ArrayList<>();
    row.cells().forEach(cell -> removals.add(new Removal(cell.column(), cell.version())));
    batch.add(new RowWrite(row.row(), List.of(), removals));
  }

  private void undo(RowCells row, Set<String> large) {
    Set<Removal> removals = new LinkedHashSet<>();
    Set<UndoneWrite> undone = new LinkedHashSet<>();
    Set<ColumnName> unseen = new LinkedHashSet<>();
    List<Cell> notifications = new ArrayList<>();
    for (Cell cell : row.cells()) {
      String family = cell.column().family();
      highest = Math.max(highest, cell.version());
      if (family.equals(Families.NOTIFY)) {
        notifications.add(cell);
        continue;
      }
      removals.add(new Removal(cell.column(), cell.version()));
      if (family.equals(Families.INTENT)) {
        intent(row.row(), cell, removals, undone);
      } else if (!family.equals(Families.CHANGES) && !large.contains(family)) {
        record(row.row(), cell, removals, undone);
        if (Families.isAcknowledgment(cell.column())) {
          unseen.add(Families.observedColumn(cell.column()));
        }
      }
    }
    for (Cell each : notifications) {
      ColumnName column = Families.column(each.column().qualifier());
      if (each.version() > to || undone.contains(new UndoneWrite(column, each.version()))) {
        removals.add(new Removal(each.column(), each.version()));
      } else {
        unseen.remove(column);
      }
    }
    List<Cell> puts = new ArrayList<>();
    unseen.forEach(column -> notify(row.row(), column, puts));
    if (!removals.isEmpty() || !puts.isEmpty()) {
      batch.add(new RowWrite(row.row(), puts, List.copyOf(removals)));
    }
  }

  private static void intent(Row row, Cell cell, Set<Removal> removals, Set<UndoneWrite> undone) {
    Intent intent = Intent.read(row, cell);
    if (!intent.undecided()) {
      return;
    }
    ColumnName column = Families.column(cell.column().qualifier());
    undone.add(new UndoneWrite(column, cell.version()));
    if (intent.kind() == Intent.Kind.PUT_LARGE) {
      removals.add(new Removal(Families.large(column), cell.version()));
    }
  }

  private static void record(Row row, Cell cell, Set<Removal> removals, Set<UndoneWrite> undone) {
    CommitRecord record = CommitRecord.read(row, cell);
    undone.add(new UndoneWrite(cell.column(), record.start()));
    if (record.kind() == CommitRecord.Kind.PUT_LARGE) {
      removals.add(new Removal(Families.large(cell.column()), record.start()));
    }
  }

  /** Makes the newest change that is left pending. */
  private void notify(Row row, ColumnName column, List<Cell> puts) {
    RowRead read = RowRead.of(row, Selection.column(column).upTo(to));
    for (Cell cell : store.read(read).cells()) {
      CommitRecord record = CommitRecord.read(row, cell);
      if (record.kind() != CommitRecord.Kind.LOCK) {
        Notification pending =
            new Notification(Notification.Kind.STRONG, new PrimaryCell(row, column));
        puts.add(new Cell(Families.notification(column), record.start(), pending.encode()));
        return;
      }
    }
  }

  private void write() {
    if (batch.isEmpty()) {
      return;
    }
    for (Outcome<Void> outcome : store.write(batch, Durability.SYNCED)) {
      if (!(outcome instanceof Outcome.Done)) {
        throw new BraidException(
            ErrorCode.BACKUP, "A row could not be brought back: " + outcome + ".");
      }
    }
    rows += batch.size();
    progress.at("bringing back rows", rows);
    batch.clear();
  }

  /** Brings back what Braid's own table says, as far as it is of a time. */
  void system(String pin) {
    scan(
        Families.SYSTEM_TABLE,
        KeyRange.ALL,
        List.of(Selection.family(Families.SYSTEM)),
        row -> {
          String key = row.row().key().toUtf8();
          if (key.startsWith("changes/")) {
            logState(row);
          } else if (key.equals("pin/" + pin) || isOfProcesses(key)) {
            removeAll(row);
          }
        });
  }

  /**
   * Returns whether a key is of the records of processes about themselves, or of groups. The rows
   * of these groups are free, and their logs are not here.
   */
  private static boolean isOfProcesses(String key) {
    return key.startsWith("reader/")
        || key.startsWith("collection/")
        || key.startsWith("group/")
        || key.startsWith("group-");
  }

  /**
   * Keeps the state of a change log. The log was frozen after this table, and all other tables
   * before: the log has everything that the state says.
   */
  private void logState(RowCells row) {
    List<Removal> removals = new ArrayList<>();
    Set<Cell> puts = new LinkedHashSet<>();
    for (Cell cell : row.cells()) {
      if (cell.version() > to) {
        removals.add(new Removal(cell.column(), cell.version()));
        puts.add(new Cell(cell.column(), to, cell.value()));
      }
    }
    if (!removals.isEmpty()) {
      batch.add(new RowWrite(row.row(), List.copyOf(puts), removals));
    }
  }

  /** The name under which a backup keeps its timestamp from being collected. */
  static String pin(String backup) {
    return "backup-" + backup;
  }
}
