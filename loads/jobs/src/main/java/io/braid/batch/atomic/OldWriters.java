package io.braid.batch.atomic;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The transactions that were writing a table when its epoch was raised. */
final class OldWriters {
  private final LoadContext context;
  private final CellStore store;
  private final StagedRows rows;
  private final Duration patience;
  private final List<OpenIntent> standing = new ArrayList<>();

  OldWriters(LoadContext context, StagedRows rows, Duration patience) {
    this.context = context;
    this.store = context.store();
    this.rows = rows;
    this.patience = patience;
  }

  /** An intent of a transaction that was there before the table's epoch was raised. */
  private record OpenIntent(Row row, ColumnName column, long version) {}

  /**
   * Looks for transactions that were writing the table under its old epoch.
   *
   * @return the other loads that have cells in the table
   */
  Set<String> look() {
    Set<String> loads = new TreeSet<>();
    rows.walk(row -> standing(row, loads));
    return loads;
  }

  /** Waits until all transactions have ended that were met. */
  void drain() {
    Backoff backoff = new Backoff(context.seams(), StagedRows.PAUSE, StagedRows.LONGEST_PAUSE);
    while (true) {
      standing.removeIf(each -> !stands(each));
      if (standing.isEmpty()) {
        return;
      }
      standing.forEach(this::help);
      if (backoff.elapsed().compareTo(patience) > 0 || !backoff.pause()) {
        OpenIntent first = standing.get(0);
        throw new JobException(
            standing.size()
                + " cells are being written by transactions that do not end, the first "
                + first.row
                + "/"
                + first.column
                + " by the one begun at "
                + first.version
                + ": commit the load later.");
      }
    }
  }

  private void standing(RowCells row, Set<String> loads) {
    for (Cell cell : row.cells()) {
      Intent intent = StagedRows.intent(cell);
      if (intent == null) {
        continue;
      }
      if (intent.decision() instanceof LoadRecord record) {
        if (!rows.isOurs(intent)) {
          loads.add(record.load());
        }
      } else if (intent.undecided()) {
        standing.add(
            new OpenIntent(row.row(), Families.column(cell.column().qualifier()), cell.version()));
      }
    }
  }

  private boolean stands(OpenIntent each) {
    ColumnName at = Families.intent(each.column);
    return rows
        .patiently(() -> store.read(RowRead.of(each.row, Selection.column(at))))
        .cells()
        .stream()
        .anyMatch(
            cell -> cell.version() == each.version && Intent.decode(cell.value()).undecided());
  }

  /** Has a transaction decided in the way of a reader, under either protocol. */
  private void help(OpenIntent each) {
    try (Snapshot now = context.transactions().snapshot()) {
      now.get(each.row, Column.of(each.column.family(), each.column.qualifier(), Codecs.bytes()));
    } catch (TransactionException | StoreException e) {
      // The next look finds the transaction again.
    }
  }
}
