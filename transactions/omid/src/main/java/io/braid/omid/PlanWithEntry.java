package io.braid.omid;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.Families;
import io.braid.core.cells.HoldPass;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Refusals;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.WriteBuffer;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.TransactionId;
import io.braid.omid.manager.CellHash;
import io.braid.omid.manager.WriteSet;
import io.braid.omid.rows.CommitEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;

/** The mutations that a transaction is about to commit, one for each row. */
record PlanWithEntry(long start, List<RowMutation> mutations) {

  /**
   * @param pass of the key group on whose behalf it is done
   * @param epochOf the epoch of a table as the transaction knows it
   */
  static PlanWithEntry of(
      long start,
      HoldPass pass,
      WriteBuffer writes,
      ToLongFunction<String> epochOf,
      ChangeSink sink) {
    return new PlanWithEntry(start, List.copyOf(writes.mutations(pass, epochOf, sink)));
  }

  /** Whether nothing is written: there is nothing to decide. Rows with cells come first. */
  boolean onlyNotifies() {
    return mutations.get(0).cells().isEmpty();
  }

  /** Whether anything is notified weakly. */
  boolean notifies() {
    for (RowMutation mutation : mutations) {
      if (!mutation.weak().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the id: the entry of the commit table and a written cell, in case the entry is gone.
   */
  TransactionId id() {
    return new TransactionId(start, decision());
  }

  /** As {@link #id}. If no cell is written, a notification is the witness instead of a cell. */
  CommitEntry decision() {
    RowMutation first = mutations.get(0);
    ColumnName witness =
        onlyNotifies() ? Families.notification(first.weak().get(0)) : first.cells().get(0).column();
    return new CommitEntry(
        CommitEntries.TABLE, CommitEntries.keyWithWitness(start, first.row(), witness));
  }

  List<DecidedRows.WrittenRow> rows() {
    List<DecidedRows.WrittenRow> rows = new ArrayList<>(mutations.size());
    for (RowMutation mutation : mutations) {
      List<ColumnName> columns = new ArrayList<>(mutation.cells().size());
      mutation.cells().forEach(cell -> columns.add(cell.column()));
      rows.add(new DecidedRows.WrittenRow(mutation.row(), columns, mutation.weak()));
    }
    return rows;
  }

  /**
   * Returns the write set for the request to the manager.
   *
   * @param unchecked cells that are left out
   */
  WriteSet writeSet(BiPredicate<String, ColumnName> unchecked) {
    WriteSet writes = new WriteSet().reset(start);
    for (RowMutation mutation : mutations) {
      String table = mutation.row().table();
      boolean added = false;
      for (CellWrite cell : mutation.cells()) {
        if (!unchecked.test(table, cell.column())) {
          if (!added) {
            writes.addTable(CellHash.table(table));
            added = true;
          }
          writes.add(CellHash.cell(mutation.row(), cell.column()));
        }
      }
    }
    return writes;
  }

  /** The rows that are written or notified. */
  List<Row> keys() {
    return RowMutation.rows(mutations);
  }

  /** Returns the exception for a row that may not be written. */
  RuntimeException refused(Refusal refusal, TableCatalog tables) {
    return Refusals.of(
        refusal,
        start,
        tables,
        stale -> conflicts(stale.table(), Cause.NEW_EPOCH, stale.current()));
  }

  /**
   * Returns the written or notified columns of a table, or of all tables if the name is empty, as
   * conflicts of one cause.
   */
  List<Conflict> conflicts(String table, Cause cause, long timestamp) {
    List<Conflict> conflicts = new ArrayList<>();
    BiConsumer<Row, ColumnName> add =
        (row, column) -> {
          if (table.isEmpty() || row.table().equals(table)) {
            conflicts.add(new Conflict(row, column, cause, timestamp));
          }
        };
    forEachCell(add);
    forEachNotified(add);
    return conflicts;
  }

  /** In the order of {@link #writeSet}. */
  void forEachCell(BiConsumer<Row, ColumnName> cell) {
    for (RowMutation mutation : mutations) {
      mutation.cells().forEach(write -> cell.accept(mutation.row(), write.column()));
    }
  }

  private void forEachNotified(BiConsumer<Row, ColumnName> column) {
    for (RowMutation mutation : mutations) {
      mutation.weak().forEach(each -> column.accept(mutation.row(), each));
    }
  }

  /** The columns whose observers are to run after the commit. */
  void forEachChange(BiConsumer<Row, ColumnName> change) {
    for (RowMutation mutation : mutations) {
      for (CellWrite cell : mutation.cells()) {
        if (cell.observed()) {
          change.accept(mutation.row(), cell.column());
        }
      }
    }
    forEachNotified(change);
  }
}
