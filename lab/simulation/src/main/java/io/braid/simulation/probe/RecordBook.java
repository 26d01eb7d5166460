package io.braid.simulation.probe;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.simulation.cluster.CellListener;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** All commits of users' columns: those that still have records, and those that were collected. */
public final class RecordBook implements CellListener {
  private final CellListener next;
  private final Map<Commit, CommitRecord.Kind> written = new HashMap<>();
  private final Set<Commit> collected = new HashSet<>();

  /** A commit of a column. */
  public record Commit(Row row, ColumnName column, long version) implements Comparable<Commit> {
    @Override
    public int compareTo(Commit other) {
      int byRow = row.compareTo(other.row);
      int byColumn = byRow == 0 ? column.compareTo(other.column) : byRow;
      return byColumn == 0 ? Long.compare(version, other.version) : byColumn;
    }
  }

  /**
   * @param next receives every event too
   */
  public RecordBook(CellListener next) {
    this.next = next;
  }

  @Override
  public void changed(List<Change> changes) {
    for (Change change : changes) {
      if (Families.isUsers(change.column().family())) {
        Commit commit = new Commit(change.row(), change.column(), change.version());
        Bytes value = change.value();
        if (value != null) {
          written.put(commit, CommitRecord.decode(value, change.version()).kind());
        } else if (written.get(commit) != CommitRecord.Kind.LOCK) {
          collected.add(commit);
        }
      }
    }
    next.changed(changes);
  }

  @Override
  public void lostChanges() {
    next.lostChanges();
  }

  @Override
  public void issued(long first, long last) {
    next.issued(first, last);
  }

  /** The commits of a table above a timestamp. */
  public TreeSet<Commit> commits(CellStore store, String table, List<String> families, long above) {
    TreeSet<Commit> commits = new TreeSet<>();
    Selection[] selections = families.stream().map(Selection::family).toArray(Selection[]::new);
    try (RowScanner scanner = store.scan(ScanRequest.of(table, KeyRange.ALL, selections))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
          if (record.kind() != CommitRecord.Kind.LOCK) {
            commits.add(new Commit(row.row(), cell.column(), cell.version()));
          }
        }
      }
    }
    collected.stream().filter(each -> each.row().table().equals(table)).forEach(commits::add);
    commits.removeIf(each -> each.version() <= above);
    return commits;
  }
}
