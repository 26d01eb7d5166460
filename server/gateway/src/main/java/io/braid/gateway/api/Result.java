package io.braid.gateway.api;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.transaction.RowValues;
import io.braid.http.AnswerMemory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The result of an operation. */
public sealed interface Result {
  /** A write, or a condition that held. */
  Result DONE = new NoData();

  /**
   * How often a read value is in memory until it is on the way: as it was read, as text, as
   * messages.
   */
  int COPIES = 6;

  /** The approximate memory that a value takes besides its bytes until the answer is on its way. */
  int VALUE = 300;

  /** Nothing was read. */
  record NoData() implements Result {}

  /** The columns of a row; those without a value do not appear. */
  record Columns(Map<ColumnName, Bytes> values) implements Result {}

  /**
   * Rows of a scan.
   *
   * @param next the key of the last one, when there may be more after it
   */
  record Page(List<Cells> rows, Optional<Bytes> next) implements Result {}

  /** A row that was read. */
  record Cells(Bytes key, Map<ColumnName, Bytes> values) {
    static Cells of(RowValues row) {
      Cells cells = new Cells(row.row().key(), row.values());
      takeRoom(cells.bytes(), cells.values.size());
      return cells;
    }

    long bytes() {
      return key.length() + size(values);
    }
  }

  /** Takes room for columns of an answer. */
  static void takeRoom(long bytes, int columns) {
    AnswerMemory.take(COPIES * bytes + (long) VALUE * columns, 1);
  }

  /** About how many bytes columns have. */
  static long size(Map<ColumnName, Bytes> values) {
    return values.entrySet().stream()
        .mapToLong(e -> e.getKey().qualifier().length() + e.getValue().length())
        .sum();
  }
}
