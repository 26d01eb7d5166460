package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.IndexRows.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Goes through all parts of an index at once, in the order of the values, then of the rows. */
final class IndexCursor implements AutoCloseable {
  private final List<RowCursor> cursors = new ArrayList<>();
  private final IndexRows rows;
  private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::order));

  /**
   * A row of the indexed table.
   *
   * @param at the index row that leads to it
   */
  record FoundRow(Row row, Row at) {}

  /** The next row of a part. */
  private record Head(Part part, RowCursor cursor, Bytes row, Row at, Bytes order) {}

  /**
   * @param limit how many rows of a part will be asked for at most, with those that are passed over
   */
  IndexCursor(Snapshot reads, IndexRows rows, KeyRange values, long limit) {
    this.rows = rows;
    try {
      for (Part part : rows.parts()) {
        RowCursor cursor = reads.scan(part.scan(values).limit(limit));
        cursors.add(cursor);
        advance(part, cursor);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void advance(Part part, RowCursor cursor) {
    while (cursor.hasNext()) {
      RowValues found = cursor.next();
      Bytes row = found.get(part.column()).orElseThrow();
      // Index rows that have moved to another part are removed later.
      if (rows.isGlobal() || rows.part(row).equals(part)) {
        heads.add(new Head(part, cursor, row, found.row(), part.order(found.row())));
        return;
      }
    }
  }

  boolean hasNext() {
    return !heads.isEmpty();
  }

  /** The next row of the indexed table. */
  FoundRow next(String table) {
    Head head = heads.remove();
    advance(head.part, head.cursor);
    return new FoundRow(Row.of(table, head.row), head.at);
  }

  @Override
  public void close() {
    cursors.forEach(RowCursor::close);
  }
}
