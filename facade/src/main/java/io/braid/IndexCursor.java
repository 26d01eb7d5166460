package io.braid;

import io.braid.IndexRows.Part;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Goes through all parts of an index at once, in the order of the values, then of the rows. */
final class IndexCursor implements AutoCloseable {
  private final List<RowCursor> cursors = new ArrayList<>();
  private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::order));

  /**
   * A row of the indexed table.
   *
   * @param at the index row that leads to it
   */
  record Found(Row row, Row at) {}

  /** The next row of a part. */
  private record Head(Part part, RowCursor cursor, RowValues row, Bytes order) {}

  /**
   * @param limit how many rows will be asked for at most
   */
  IndexCursor(Snapshot reads, IndexRows rows, KeyRange values, long limit) {
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
    if (cursor.hasNext()) {
      RowValues row = cursor.next();
      heads.add(new Head(part, cursor, row, part.order(row.row())));
    }
  }

  boolean hasNext() {
    return !heads.isEmpty();
  }

  /** The next row of the indexed table. */
  Found next(String table) {
    Head head = heads.remove();
    advance(head.part, head.cursor);
    Bytes key = head.row.get(head.part.column()).orElseThrow();
    return new Found(Row.of(table, key), head.row.row());
  }

  @Override
  public void close() {
    cursors.forEach(RowCursor::close);
  }
}
