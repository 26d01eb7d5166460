package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.ReadProgress;
import io.braid.core.store.RowAccess;
import io.braid.core.time.Timestamp;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Questions about the commit records of a column, and their writing. */
public final class CommitRecords {
  private static final int SEVERAL = 16;

  private CommitRecords() {}

  /** The version of the newest record above {@code start}; 0 when there is none. */
  public static long newerThan(RowAccess rows, Row row, ColumnName column, long start) {
    return rows.newestAbove(row, column, start);
  }

  /** When the transaction begun at {@code start} committed this column; 0 when it did not. */
  public static long committedAt(RowAccess rows, Row row, ColumnName column, long start) {
    if (newerThan(rows, row, column, start) == 0) {
      return 0;
    }
    for (Cell cell : rows.versions(row, column, start + 1, Timestamp.MAX, Integer.MAX_VALUE)) {
      if (CommitRecord.read(row, cell).start() == start) {
        return cell.version();
      }
    }
    return 0;
  }

  /** Makes an intent the record that it was written for. */
  public static void replace(
      RowAccess rows, Row row, RowIntents.OwnIntent own, long start, long commit) {
    put(rows, row, own.column(), commit, CommitRecord.of(own.intent(), start));
    rows.delete(row, Families.intent(own.column()), start);
  }

  /**
   * Writes a record, and beside it the mark by which the change log finds it if the changes of the
   * table are kept. Every record of a user's column is written here.
   *
   * <p>To be called after the commit timestamp was drawn. So a record without a mark lies below
   * every timestamp that the oracle gives out after the table got the family of the marks.
   */
  public static void put(
      RowAccess rows, Row row, ColumnName column, long commit, CommitRecord record) {
    rows.put(row, column, commit, record.encode(commit));
    if (record.kind() != CommitRecord.Kind.LOCK
        && Families.isUsers(column.family())
        && rows.has(row, Families.CHANGES)) {
      rows.put(row, Families.change(column), commit, Bytes.EMPTY);
    }
  }

  /** Writes a cell as committed, without an intent before: its record, and a large value apart. */
  public static void put(RowAccess rows, Row row, CellWrite cell, long start, long commit) {
    if (cell.isLarge()) {
      rows.put(row, Families.large(cell.column()), start, cell.value());
    }
    put(rows, row, cell.column(), commit, cell.record(start));
  }

  /**
   * Writes a row of a transaction that commits without intents before: its records and
   * notifications.
   *
   * @param strong the decision point of strong notifications
   * @param weak the decision point of weak notifications
   */
  public static void put(
      RowAccess rows,
      RowMutation mutation,
      long start,
      long commit,
      Supplier<? extends DecisionPoint> strong,
      Supplier<? extends DecisionPoint> weak) {
    Row row = mutation.row();
    for (CellWrite cell : mutation.cells()) {
      put(rows, row, cell, start, commit);
      if (cell.observed()) {
        new Notification(Notification.Kind.STRONG, strong.get())
            .put(rows, row, cell.column(), start);
      }
    }
    if (!mutation.weak().isEmpty()) {
      new Notification(Notification.Kind.WEAK, weak.get())
          .putAll(rows, row, mutation.weak(), start);
    }
  }

  /**
   * Returns the value of a record that is visible at a snapshot, null if there is none. Reads a
   * large value from its own cell.
   */
  public static @Nullable Bytes value(
      RowAccess rows, Row row, ColumnName column, long snapshot, CommitRecord record) {
    return switch (record.kind()) {
      case PUT -> record.value();
      case DELETE, LOCK -> null;
      case PUT_LARGE -> {
        Cell large = rows.at(row, Families.large(column), record.start());
        if (large == null && snapshot < rows.watermark()) {
          yield null;
        }
        if (large == null) {
          throw new IllegalStateException(
              "The large value of "
                  + row
                  + "/"
                  + column
                  + " begun at "
                  + record.start()
                  + " is missing: the store has lost or collected it.");
        }
        ReadProgress.add(large.value().length());
        yield large.value();
      }
    };
  }

  /** The newest record at or below a snapshot that is no LOCK; null when there is none. */
  public static @Nullable VisibleCommit visible(
      RowAccess rows, Row row, ColumnName column, long snapshot) {
    Cell newest = rows.newest(row, column, snapshot);
    if (newest == null) {
      return null;
    }
    CommitRecord record = CommitRecord.read(row, newest);
    return record.kind() == CommitRecord.Kind.LOCK
        ? beforeLocks(rows, row, column, newest.version() - 1)
        : new VisibleCommit(newest.version(), record);
  }

  private static @Nullable VisibleCommit beforeLocks(
      RowAccess rows, Row row, ColumnName column, long maxVersion) {
    long from = maxVersion;
    while (true) {
      List<Cell> older = rows.versions(row, column, 0, from, SEVERAL);
      for (Cell cell : older) {
        CommitRecord record = CommitRecord.read(row, cell);
        if (record.kind() != CommitRecord.Kind.LOCK) {
          return new VisibleCommit(cell.version(), record);
        }
      }
      if (older.size() < SEVERAL) {
        return null;
      }
      from = older.get(older.size() - 1).version() - 1;
    }
  }

  public record VisibleCommit(long commit, CommitRecord record) {}
}
