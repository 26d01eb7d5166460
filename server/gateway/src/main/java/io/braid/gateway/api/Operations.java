package io.braid.gateway.api;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpRefusal;
import io.braid.view.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Does operations, one after another, in a transaction. */
final class Operations {
  /** The maximum size of the answers of a request, in bytes. */
  private static final long MOST_BYTES = 32L << 20;

  private final Braid db;

  Operations(Braid db) {
    this.db = db;
  }

  /**
   * Does the operations, and returns a result for each.
   *
   * @throws HttpRefusal when a condition does not hold: nothing is to be committed
   */
  List<Result> run(Transaction tx, List<Operation> operations) {
    return run(tx, operations, () -> {});
  }

  /**
   * Does the operations, and returns a result for each.
   *
   * @param changing called once a part of a change may have been done
   */
  List<Result> run(Transaction tx, List<Operation> operations, Runnable changing) {
    List<Result> results = new ArrayList<>(operations.size());
    long room = MOST_BYTES;
    for (int i = 0; i < operations.size(); i++) {
      Operation each = operations.get(i);
      if (each instanceof Operation.Get get) {
        Result.Cells row = Result.Cells.of(get(tx, get));
        room -= checked(row.bytes(), room);
        results.add(new Result.Columns(row.values()));
      } else if (each instanceof Operation.Read read) {
        Result.Page page = page(tx, read.scan(), room);
        room -= checked(bytes(page), room);
        results.add(page);
      } else {
        write(tx, each, i, changing);
        results.add(Result.DONE);
      }
    }
    return results;
  }

  private static void write(Transaction tx, Operation each, int index, Runnable changing) {
    if (each instanceof Operation.Expect expect) {
      expect(tx, expect, index);
    } else if (each instanceof Operation.Set set) {
      set.columns()
          .forEach(
              (column, value) -> {
                set(tx, set, column, value);
                changing.run();
              });
    } else if (each instanceof Operation.Lock lock) {
      lock.columns()
          .forEach(
              column -> {
                tx.lock(lock.row(), column);
                changing.run();
              });
    }
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
    return AnswerMemory.reading(
        () ->
            get.columns().isEmpty()
                ? reads.getRow(
                    get.row(), db.tables().families(get.row().table()).toArray(String[]::new))
                : reads.get(get.row(), get.columns()));
  }

  private static void expect(Transaction tx, Operation.Expect expect, int index) {
    RowValues found = AnswerMemory.reading(() -> tx.get(expect.row(), expect.columns().keySet()));
    for (Map.Entry<Column<Bytes>, Optional<Bytes>> each : expect.columns().entrySet()) {
      if (!found.get(each.getKey()).equals(each.getValue())) {
        throw notAsExpected(expect.row(), each.getKey(), index);
      }
      // The value seen must still hold at the commit.
      tx.lock(expect.row(), each.getKey());
    }
  }

  static HttpRefusal notAsExpected(Row row, Column<Bytes> column, int index) {
    return new HttpRefusal(
            412,
            ErrorCode.CONDITION_FAILED.word(),
            "Column "
                + column
                + " of row "
                + Columns.show(row)
                + " is not as expected; nothing was written.")
        .with("operation", Integer.toString(index));
  }

  /**
   * A page of rows.
   *
   * @param scan with a limit one above what is wanted
   * @param room how many bytes the rows may have
   */
  Result.Page page(Snapshot reads, Scan scan, long room) {
    List<Result.Cells> list = new ArrayList<>();
    long bytes = 0;
    try (RowCursor rows = reads.scan(whole(scan))) {
      while (AnswerMemory.reading(rows::hasNext)) {
        if (list.size() == scan.limit() - 1 || bytes > Math.min(room, MOST_BYTES / 4)) {
          return new Result.Page(list, Optional.of(list.get(list.size() - 1).key()));
        }
        Result.Cells row = Result.Cells.of(rows.next());
        bytes += row.bytes();
        list.add(row);
      }
    }
    return new Result.Page(list, Optional.empty());
  }

  /** The same scan, of all families if it names nothing. */
  Scan whole(Scan scan) {
    Scan whole = scan;
    if (whole.families().isEmpty() && whole.columns().isEmpty()) {
      for (String family : db.tables().families(scan.table())) {
        whole = whole.family(family);
      }
    }
    return whole;
  }

  private static long bytes(Result.Page page) {
    return page.rows().stream().mapToLong(Result.Cells::bytes).sum();
  }

  private static long checked(long bytes, long room) {
    if (bytes > room) {
      throw new HttpRefusal(
          413, ErrorCode.TOO_LONG.word(), "The answer is too long: read less with one request.");
    }
    return bytes;
  }
}
