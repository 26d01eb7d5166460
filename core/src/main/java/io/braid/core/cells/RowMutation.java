package io.braid.core.cells;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * All that one transaction writes in one row.
 *
 * @param epoch the epoch of the table that the transaction was begun with
 * @param pass lets a key group write the rows that it holds
 * @param cells the writes, no column twice
 * @param weak columns to notify weakly
 */
public record RowMutation(
    Row row, long epoch, HoldPass pass, List<CellWrite> cells, List<ColumnName> weak) {

  /** Makes a mutation by a writer outside of any key group. */
  public RowMutation(Row row, long epoch, List<CellWrite> cells, List<ColumnName> weak) {
    this(row, epoch, HoldPass.NONE, cells, weak);
  }

  public RowMutation {
    cells = List.copyOf(cells);
    weak = List.copyOf(weak);
  }

  /** The rows of mutations, in their order. */
  public static List<Row> rows(List<RowMutation> mutations) {
    if (mutations.size() == 1) {
      return List.of(mutations.get(0).row());
    }
    List<Row> rows = new ArrayList<>(mutations.size());
    for (RowMutation mutation : mutations) {
      rows.add(mutation.row());
    }
    return rows;
  }

  /**
   * Whether it changes values of users; acknowledgments of observers and weak notifications take
   * nothing from a group that holds the row.
   */
  public boolean changesValues() {
    for (CellWrite cell : cells) {
      if (!cell.column().family().equals(Families.ACK)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the pass for writing a row of these cells. A row of an index needs no pass: index rows
   * belong to no group, whoever holds the rows that they index.
   */
  public static HoldPass passFor(Collection<CellWrite> cells, HoldPass pass) {
    return !pass.isNone() && cells.stream().allMatch(RowMutation::isOfIndex) ? HoldPass.NONE : pass;
  }

  private static boolean isOfIndex(CellWrite cell) {
    return cell.column().family().equals(Families.INDEX);
  }

  public void encode(Encoder to) {
    to.row(row).varint(epoch);
    pass.encode(to);
    Lists.encode(to, cells, CellWrite::encode);
    Lists.encode(to, weak, (column, out) -> out.column(column));
  }

  public static RowMutation decode(Decoder from) {
    return new RowMutation(
        from.row(),
        from.varint(),
        HoldPass.decode(from),
        Lists.decode(from, CellWrite::decode),
        Lists.decode(from, Decoder::column));
  }
}
