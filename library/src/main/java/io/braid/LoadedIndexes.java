package io.braid;

import io.braid.batch.JobException;
import io.braid.batch.LoadableTables;
import io.braid.batch.rows.IndexRow;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.indexes.IndexEntry;
import io.braid.indexes.IndexRegistry;
import io.braid.indexes.IndexRows.Place;
import io.braid.tables.BoundTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The work of loads on the indexes of the tables that they write. */
final class LoadedIndexes implements LoadableTables {
  private final IndexRegistry registry;
  private final BoundTransactions transactions;

  LoadedIndexes(IndexRegistry registry, BoundTransactions transactions) {
    this.registry = registry;
    this.transactions = transactions;
  }

  @Override
  public void require(String table) {
    if (registry.isIndex(table)) {
      throw new JobException("Table " + table + " is an index: load the table that it is of.");
    }
    for (IndexEntry entry : registry.of(table)) {
      if (entry.index().isUnique()) {
        throw new JobException(
            "Table "
                + table
                + " has the unique index "
                + entry.index().name()
                + ", and a load does not see whether two rows get one value: drop it, load, and"
                + " create it again.");
      }
    }
  }

  @Override
  public void requireIndexesSince(String table, long start) {
    for (IndexEntry entry : registry.of(table)) {
      // A load that began before the fence may not have known the index, though the index was
      // defined by then.
      if (entry.fence() == 0 || Math.max(entry.fence(), entry.since()) > start) {
        throw new JobException(
            "Index "
                + entry.index().name()
                + " of table "
                + table
                + " was created after the load began, or has followed the tablets since; records"
                + " may have been written without index rows: drop it, end the load, and create it again.");
      }
    }
  }

  @Override
  public void lookAgain() {
    transactions.lookAgain();
  }

  @Override
  public void learn(String table) {
    transactions.learn(table);
  }

  @Override
  public boolean isIndexed(String table) {
    return !registry.of(table).isEmpty();
  }

  @Override
  public List<IndexRow> indexRows(
      Row row, List<CellWrite> cells, long version, ToLongFunction<String> epochs) {
    List<IndexRow> rows = new ArrayList<>(1);
    for (IndexEntry seen : registry.of(row.table())) {
      String name = seen.index().name();
      // The epoch first: the index that is looked up then is that of this epoch, or of a later one.
      long epoch = seen.index().isLocal() ? IndexRow.ANY : epochs.applyAsLong(name);
      registry
          .entry(name)
          .ifPresent(entry -> cells.forEach(cell -> add(rows, entry, row, cell, version, epoch)));
    }
    return rows;
  }

  private void add(
      List<IndexRow> rows, IndexEntry entry, Row row, CellWrite cell, long version, long epoch) {
    // A deletion writes none; but the one of the value that it deletes stays.
    if (cell.column().equals(entry.index().column())) {
      IndexEntry known = checked(entry);
      for (Place at : isPut(cell) ? known.places(row, cell.value()) : List.<Place>of()) {
        rows.add(indexRow(known, at, row, version).under(epoch));
      }
    }
  }

  private static boolean isPut(CellWrite cell) {
    return cell.kind() == Intent.Kind.PUT || cell.kind() == Intent.Kind.PUT_LARGE;
  }

  /**
   * Marks the entry before the first index row is written. A reader that finds an index row checks
   * the mark afterwards.
   */
  private IndexEntry checked(IndexEntry entry) {
    return entry.checked() ? entry : registry.update(entry.index().name(), IndexEntry::withChecks);
  }

  private IndexRow indexRow(IndexEntry entry, Place at, Row row, long version) {
    registry.requireFits(entry.index(), at.row(), row);
    // No transaction wrote it: the start is one that no transaction has.
    CommitRecord record = new CommitRecord(CommitRecord.Kind.PUT, version - 1, row.key());
    Cell cell = new Cell(at.column().name(), version, record.encode(version));
    return new IndexRow(at.row(), cell, IndexRow.ANY);
  }
}
