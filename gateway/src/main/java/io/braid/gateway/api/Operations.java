package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.view.Columns;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Does operations, one after another, in a transaction. */
final class Operations {
  /** What the answers of a request may come to, in bytes. */
  private static final long MOST_BYTES = 32L << 20;

  private final Braid db;

  Operations(Braid db) {
    this.db = db;
  }

  /**
   * Does them; a result for each.
   *
   * @throws HttpRefusal when a condition does not hold: nothing is to be committed
   */
  ArrayNode run(Transaction tx, List<Operation> operations) {
    ArrayNode results = Json.object().putArray("results");
    long room = MOST_BYTES;
    for (int i = 0; i < operations.size(); i++) {
      Operation each = operations.get(i);
      ObjectNode result = results.addObject();
      if (each instanceof Operation.Get get) {
        RowValues values = get(tx, get);
        room -= checked(Values.bytes(values), room);
        result.set("columns", Values.columns(values));
      } else if (each instanceof Operation.Read read) {
        room -= page(tx, read.scan(), result, room);
      } else if (each instanceof Operation.Expect expect) {
        expect(tx, expect, i);
      } else if (each instanceof Operation.Set set) {
        set.columns().forEach((column, value) -> set(tx, set, column, value));
      } else if (each instanceof Operation.Lock lock) {
        lock.columns().forEach(column -> tx.lock(lock.row(), column));
      }
    }
    return results;
  }

  private static void set(
      Transaction tx, Operation.Set set, Column<Bytes> column, Optional<Bytes> value) {
    if (value.isPresent()) {
      tx.set(set.row(), column, value.get());
    } else {
      tx.delete(set.row(), column);
    }
  }

  private RowValues get(Snapshot reads, Operation.Get get) {
    return get.columns().isEmpty()
        ? reads.getRow(get.row(), db.families(get.row().table()).toArray(String[]::new))
        : reads.get(get.row(), get.columns());
  }

  private static void expect(Transaction tx, Operation.Expect expect, int index) {
    RowValues found = tx.get(expect.row(), expect.columns().keySet());
    for (Map.Entry<Column<Bytes>, Optional<Bytes>> each : expect.columns().entrySet()) {
      if (!found.get(each.getKey()).equals(each.getValue())) {
        throw notAsExpected(expect.row(), each.getKey(), index);
      }
      // What was seen must still be so at the commit.
      tx.lock(expect.row(), each.getKey());
    }
  }

  static HttpRefusal notAsExpected(Row row, Column<Bytes> column, int index) {
    return new HttpRefusal(
            412,
            "condition failed",
            "Column "
                + column
                + " of row "
                + Columns.show(row)
                + " is not as expected; nothing was written.")
        .with("operation", Integer.toString(index));
  }

  /**
   * Adds a page of rows to an object, and where the next one begins.
   *
   * @param scan with a limit one above what is wanted
   * @return how many bytes the rows have
   */
  long page(Snapshot reads, Scan scan, ObjectNode to, long room) {
    Scan whole = scan;
    if (whole.families().isEmpty() && whole.columns().isEmpty()) {
      for (String family : db.families(scan.table())) {
        whole = whole.family(family);
      }
    }
    ArrayNode list = to.putArray("rows");
    long bytes = 0;
    try (RowCursor rows = reads.scan(whole)) {
      while (rows.hasNext()) {
        if (list.size() == scan.limit() - 1 || bytes > Math.min(room, MOST_BYTES / 4)) {
          to.put("next", list.get(list.size() - 1).path("row").asText());
          break;
        }
        RowValues row = rows.next();
        bytes += Values.bytes(row);
        list.add(Values.row(row));
      }
    }
    return checked(bytes, room);
  }

  private static long checked(long bytes, long room) {
    if (bytes > room) {
      throw new HttpRefusal(413, "too long", "The answer is too long: read less with one request.");
    }
    return bytes;
  }
}
