package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;

/**
 * The place that decides the outcome of an intent. One row procedure there decides it; the decision
 * never changes and may be cached.
 */
public sealed interface DecisionPoint {

  /** A cell of the transaction itself, whose lock or commit record decides (Percolator, 2.2). */
  record PrimaryCell(Row row, ColumnName column) implements DecisionPoint {
    @Override
    public String toString() {
      return "primary " + row + "/" + column;
    }
  }

  /** An entry of a commit table (Omid, 3.1). */
  record CommitEntry(String table, Bytes key) implements DecisionPoint {}

  /** The record of a bulk load. */
  record LoadRecord(String load) implements DecisionPoint {}

  default void encode(Encoder to) {
    if (this instanceof PrimaryCell primary) {
      to.u8(1).row(primary.row).column(primary.column);
    } else if (this instanceof CommitEntry entry) {
      to.u8(2).text(entry.table).bytes(entry.key);
    } else if (this instanceof LoadRecord load) {
      to.u8(3).text(load.load);
    }
  }

  static DecisionPoint decode(Decoder from) {
    int kind = from.u8();
    return switch (kind) {
      case 1 -> new PrimaryCell(from.row(), from.column());
      case 2 -> new CommitEntry(from.text(), from.bytes());
      case 3 -> new LoadRecord(from.text());
      default -> throw new IllegalArgumentException("No decision point is of kind " + kind + ".");
    };
  }
}
