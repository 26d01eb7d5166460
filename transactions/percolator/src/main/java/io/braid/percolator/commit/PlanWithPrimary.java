package io.braid.percolator.commit;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.HoldPass;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.WriteBuffer;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * The mutations that a transaction is about to commit, one for each row, that of the primary first.
 *
 * @param primary the first cell that is written and is not of an index. If only weak notifications
 *     are written, the first of these: it decides nothing but identifies the transaction
 */
public record PlanWithPrimary(long start, PrimaryCell primary, List<RowMutation> mutations) {

  /**
   * @param pass of the key group on whose behalf it is done
   * @param epochOf the epoch of a table as the transaction knows it
   */
  public static PlanWithPrimary of(
      long start,
      HoldPass pass,
      WriteBuffer writes,
      ToLongFunction<String> epochOf,
      ChangeSink sink) {
    List<RowMutation> mutations = writes.mutations(pass, epochOf, sink);
    bringFirst(mutations);
    return new PlanWithPrimary(start, primaryOf(mutations.get(0)), List.copyOf(mutations));
  }

  /**
   * Puts the row of the primary first. An index row is never the primary: it is removed with all
   * its versions when its index moves or is dropped. Its decisions about other tables would be
   * forgotten.
   */
  private static void bringFirst(List<RowMutation> mutations) {
    for (int i = 0; i < mutations.size() && holdsIndexRow(mutations.get(0)); i++) {
      if (!holdsIndexRow(mutations.get(i))) {
        mutations.add(0, mutations.remove(i));
      }
    }
  }

  private static boolean holdsIndexRow(RowMutation mutation) {
    return mutation.cells().stream().allMatch(PlanWithPrimary::isOfIndex);
  }

  private static boolean isOfIndex(CellWrite cell) {
    return cell.column().family().equals(Families.INDEX);
  }

  /** Returns the same writes, for a transaction that has its primary already. */
  PlanWithPrimary withPrimary(PrimaryCell standing) {
    return new PlanWithPrimary(start, standing, mutations);
  }

  private static PrimaryCell primaryOf(RowMutation first) {
    for (CellWrite cell : first.cells()) {
      if (!isOfIndex(cell)) {
        return new PrimaryCell(first.row(), cell.column());
      }
    }
    return first.cells().isEmpty()
        ? new PrimaryCell(first.row(), Families.notification(first.weak().get(0)))
        : new PrimaryCell(first.row(), first.cells().get(0).column());
  }

  boolean onlyNotifies() {
    return primary.column().family().equals(Families.NOTIFY);
  }

  public TransactionId id() {
    return new TransactionId(start, primary);
  }

  RowMutation first() {
    return mutations.get(0);
  }

  List<Row> rows() {
    return RowMutation.rows(mutations);
  }

  /** The columns that the transaction writes or notifies in a table, as row and column. */
  List<CellAddress> cellsOf(String table) {
    List<CellAddress> cells = new ArrayList<>();
    for (RowMutation mutation : mutations) {
      if (mutation.row().table().equals(table)) {
        mutation.cells().forEach(cell -> cells.add(new CellAddress(mutation.row(), cell.column())));
        mutation.weak().forEach(column -> cells.add(new CellAddress(mutation.row(), column)));
      }
    }
    return cells;
  }

  /** The columns whose observers are to run after the commit. */
  void forEachChange(BiConsumer<Row, ColumnName> change) {
    for (RowMutation mutation : mutations) {
      for (CellWrite cell : mutation.cells()) {
        if (cell.observed()) {
          change.accept(mutation.row(), cell.column());
        }
      }
      if (!mutation.weak().isEmpty()) {
        new TreeSet<>(mutation.weak()).forEach(column -> change.accept(mutation.row(), column));
      }
    }
  }

  /** A column of a row. */
  record CellAddress(Row row, ColumnName column) {}
}
