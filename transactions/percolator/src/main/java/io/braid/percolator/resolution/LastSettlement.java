package io.braid.percolator.resolution;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.percolator.context.PercolatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The work to do before a table is dropped: the primaries in it decide about rows of other tables.
 * Once they are gone, committed and uncommitted intents there could not be told apart.
 *
 * <p>A new epoch of the table stops commits that are on their way to such a primary. Then every
 * intent elsewhere that names one is decided, and its row rolled forward or back.
 */
public final class LastSettlement {
  private static final int BATCH = 256;

  private final CellStore store;
  private final DecisionPoints points;
  private final RowFinisher finisher;

  public LastSettlement(PercolatorContext around, DecisionPoints points, RowFinisher finisher) {
    this.store = around.store();
    this.points = points;
    this.finisher = finisher;
  }

  /**
   * Settles the transactions that depend on a table; does nothing if there is no such table.
   *
   * @throws TabletUnavailableException when something could not be settled now
   */
  public void of(String table) {
    if (store.table(table).isEmpty()) {
      return;
    }
    store.raiseEpoch(table, store.epoch(table) + 1);
    for (TableSchema other : store.tables()) {
      if (other.has(Families.INTENT) && !other.name().equals(table)) {
        settle(other.name(), table);
      }
    }
  }

  private void settle(String other, String table) {
    ScanRequest request = ScanRequest.of(other, KeyRange.ALL, Selection.family(Families.INTENT));
    List<DecidedRow> met = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          add(row, cell, table, met);
        }
        if (met.size() >= BATCH) {
          finish(met);
        }
      }
    } catch (UnknownTableException e) {
      return;
    }
    finish(met);
  }

  private void add(RowCells row, Cell cell, String table, List<DecidedRow> met) {
    if (cell.column().qualifier().isEmpty()) {
      return;
    }
    Intent intent = Intent.decode(cell.value());
    if (intent.undecided()
        && intent.decision() instanceof PrimaryCell primary
        && primary.row().table().equals(table)) {
      met.add(new DecidedRow(row.row(), cell.version(), decided(primary, cell.version()), true));
    }
  }

  private Decision decided(PrimaryCell primary, long start) {
    Decision decision = points.decide(primary, start);
    if (decision == null) {
      throw new TabletUnavailableException(
          "The transaction begun at "
              + start
              + " has its primary in the table that is to go, and cannot be asked: try again.");
    }
    return decision;
  }

  private void finish(List<DecidedRow> met) {
    List<DecidedRow> open = finisher.finish(List.copyOf(met));
    met.clear();
    if (!open.isEmpty()) {
      throw new TabletUnavailableException(
          open.get(0).row()
              + " has an intent whose primary is in the table that is to go, and cannot be"
              + " changed now: try again.");
    }
  }
}
