package io.braid.percolator.garbage;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.percolator.rows.CollectRow;
import io.braid.percolator.rows.Garbage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The garbage of a row, as a scan saw it. Cells at or below the horizon change only through
 * collections, so a look without a lock is as good as any.
 *
 * @param truncated whether a column has more versions than were looked at
 */
record RowGarbage(
    Row row, List<CollectRow.Part> columns, CollectionReport.Counts counts, boolean truncated) {
  private static final int MOST_VERSIONS = 1024;

  boolean isEmpty() {
    return columns.isEmpty() && counts.marks() == 0;
  }

  /** Returns the selections of a row that show its garbage. */
  static List<Selection> selections(TableSchema schema, long horizon) {
    List<Selection> selections = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      Selection all = Selection.family(family.name());
      if (family.kind() == Kind.DATA) {
        selections.add(all.upTo(horizon).newest(MOST_VERSIONS));
      } else if (family.name().equals(Families.INTENT)) {
        selections.add(all.upTo(horizon));
      } else if (isAwaiting(family.name())) {
        selections.add(all.newest(1));
      }
    }
    return selections;
  }

  private static boolean isAwaiting(String family) {
    return family.equals(Families.NOTIFY) || family.equals(Families.DEAD_LETTERS);
  }

  static RowGarbage of(RowCells row, long horizon) {
    return new Reading(row.row(), horizon).read(row);
  }

  private static final Logger LOG = LoggerFactory.getLogger(RowGarbage.class);

  /** Goes through the cells of a row, column by column. */
  private static final class Reading {
    private final Row row;
    private final long horizon;
    private final List<CollectRow.Part> columns = new ArrayList<>(0);
    private final Set<ColumnName> present = new HashSet<>(4);
    private boolean truncated;
    private long seen;
    private long superseded;
    private long deletes;
    private long locks;
    private long marks;
    private long large;
    private long bytes;

    Reading(Row row, long horizon) {
      this.row = row;
      this.horizon = horizon;
    }

    RowGarbage read(RowCells all) {
      List<Cell> cells = all.cells();
      cells.forEach(cell -> present.add(cell.column()));
      Set<ColumnName> awaited = awaited(cells);
      int from = 0;
      while (from < cells.size()) {
        int to = from + 1;
        ColumnName column = cells.get(from).column();
        while (to < cells.size() && cells.get(to).column().equals(column)) {
          to++;
        }
        try {
          readColumn(column, cells.subList(from, to), awaited);
        } catch (DamagedCellException e) {
          LOG.warn("Nothing of a damaged column is collected. {}", e.getMessage());
        }
        from = to;
      }
      CollectionReport.Counts counts =
          new CollectionReport.Counts(1, seen, superseded, deletes, locks, marks, large, bytes, 0);
      return new RowGarbage(row, columns, counts, truncated);
    }

    private static Set<ColumnName> awaited(List<Cell> cells) {
      Set<ColumnName> awaited = new HashSet<>(0);
      for (Cell cell : cells) {
        if (cell.column().family().equals(Families.NOTIFY)) {
          awaited.add(Families.column(cell.column().qualifier()));
        } else if (cell.column().family().equals(Families.DEAD_LETTERS)) {
          awaited.add(Families.observedColumn(cell.column()));
        }
      }
      return awaited;
    }

    private void readColumn(ColumnName column, List<Cell> cells, Set<ColumnName> awaited) {
      cells.forEach(cell -> seen += size(cell));
      if (column.family().equals(Families.INTENT)) {
        cells.forEach(this::readIntent);
        return;
      }
      if (isAwaiting(column.family())) {
        return;
      }
      boolean complete = cells.size() < MOST_VERSIONS;
      Garbage garbage =
          column.family().equals(Families.ACK)
              ? Garbage.ofAcknowledgment(row, cells, isOver(column, awaited))
              : Garbage.of(row, cells, complete, awaited.contains(column));
      if (!garbage.isEmpty()) {
        truncated |= !complete;
        long oldest = complete ? 0 : cells.get(cells.size() - 1).version();
        columns.add(new CollectRow.Part(column, oldest));
        garbage.versions().forEach(this::count);
      }
    }

    /**
     * Whether the acknowledgment is over, as far as can be seen below the horizon; the procedure
     * looks above it, too.
     */
    private boolean isOver(ColumnName acknowledgment, Set<ColumnName> awaited) {
      if (!Families.isAcknowledgment(acknowledgment)) {
        return !present.contains(Families.hold());
      }
      ColumnName observed = Families.observedColumn(acknowledgment);
      return !awaited.contains(observed) && !present.contains(observed);
    }

    private void readIntent(Cell cell) {
      if (cell.version() < horizon && Intent.read(row, cell).kind() == Intent.Kind.ROLLED_BACK) {
        marks++;
        bytes += size(cell);
      }
    }

    private void count(Garbage.Version version) {
      bytes += size(version.cell());
      switch (version.kind()) {
        case DELETE -> deletes++;
        case LOCK -> locks++;
        case PUT, PUT_LARGE -> superseded++;
      }
      if (version.kind() == CommitRecord.Kind.PUT_LARGE) {
        large++;
      }
    }

    private static long size(Cell cell) {
      return cell.column().qualifier().length() + Long.BYTES + (long) cell.value().length();
    }
  }
}
