package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.IndexEntry.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks an index which rows have a value in a range, at one snapshot. */
final class IndexQuestion {
  private static final int BATCH = 500;
  private static final int ATTEMPTS = 50;

  private final IndexRegistry registry;
  private final Snapshot reads;
  private final String table;
  private final ColumnName column;
  private final KeyRange values;
  private final long limit;

  /**
   * @param limit how many rows at most
   */
  IndexQuestion(
      IndexRegistry registry,
      Snapshot reads,
      String table,
      ColumnName column,
      KeyRange values,
      long limit) {
    this.registry = registry;
    this.reads = reads;
    this.table = table;
    this.column = column;
    this.values = values;
    this.limit = limit;
  }

  /**
   * Reads the rows. A dropped index is no longer written, so its entry is checked again after the
   * read. If the index was not dropped by then, the result is complete.
   */
  List<Row> rows() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      IndexEntry entry = registry.of(table, column);
      require(entry);
      try {
        List<Row> rows = rows(entry);
        if (registry.isCurrent(entry)) {
          return rows;
        }
      } catch (UnknownTableException e) {
        if (registry.isCurrent(entry)) {
          throw e;
        }
      }
      registry.lookAgain();
    }
    throw new TabletUnavailableException(
        "The index of column " + column + " of table " + table + " is being changed: ask again.");
  }

  private void require(IndexEntry entry) {
    Index index = entry.index();
    if (!index.ready()) {
      throw new IllegalArgumentException(
          "Index " + index.name() + " is being built: create it again to go on.");
    }
    if (reads.timestamp() < entry.fence()) {
      throw new IllegalArgumentException(
          "Index "
              + index.name()
              + " begins at "
              + entry.fence()
              + ": it was created after the snapshot "
              + reads.timestamp()
              + ". Use one from then on, or scan the table.");
    }
  }

  private List<Row> rows(IndexEntry entry) {
    List<Row> rows = new ArrayList<>();
    long most = entry.checked() || entry.state() == State.MOVED ? Long.MAX_VALUE : limit;
    try (IndexCursor cursor = new IndexCursor(reads, entry.rows(), values, most)) {
      while (rows.size() < limit && cursor.hasNext()) {
        if (entry.checked()) {
          rows.addAll(checked(entry, cursor, limit - rows.size()));
        } else {
          rows.add(cursor.next(table).row());
        }
      }
    }
    return rows;
  }

  /**
   * The next few that are what the index says. It holds an index row for each value of a row, and
   * some that loads have left (see {@link io.braid.batch.sink.IndexRowsAhead}).
   */
  private List<Row> checked(IndexEntry entry, IndexCursor cursor, long most) {
    List<IndexCursor.FoundRow> found = new ArrayList<>();
    while (found.size() < Math.min(most, BATCH) && cursor.hasNext()) {
      found.add(cursor.next(table));
    }
    Column<Bytes> indexed = new Column<>(column, IndexUpdates.AS_IS);
    Map<Row, RowValues> standing =
        reads.getAll(found.stream().map(IndexCursor.FoundRow::row).toList(), List.of(indexed));
    List<Row> rows = new ArrayList<>(found.size());
    for (IndexCursor.FoundRow each : found) {
      Optional<Bytes> value =
          Optional.ofNullable(standing.get(each.row())).flatMap(row -> row.get(indexed));
      if (value.filter(v -> entry.rows().at(each.row(), v).row().equals(each.at())).isPresent()) {
        rows.add(each.row());
      }
    }
    return rows;
  }
}
