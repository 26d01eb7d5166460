package io.braid.percolator;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableWalk;
import io.braid.core.time.Timestamp;
import io.braid.percolator.TransactionTraces.Owner;
import io.braid.percolator.TransactionTraces.State;
import io.braid.percolator.TransactionTraces.Trace;
import io.braid.percolator.context.PercolatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Finds the cells of a transaction in the store. Only reads: a look must not decide anything. */
final class TraceSearch {
  private final CellStore store;
  private final Seams seams;

  TraceSearch(PercolatorContext around) {
    this.store = around.store();
    this.seams = around.seams();
  }

  /**
   * @param known its decision point, if the caller knows it; else the one that its intents name
   */
  TransactionTraces of(long start, @Nullable DecisionPoint known) {
    Search search = new Search(start);
    TableWalk.each(
        store,
        schema -> {
          if (schema.has(Families.INTENT)) {
            search.in(schema.name());
          }
        });
    DecisionPoint decision = known != null ? known : search.decision;
    State state = State.UNKNOWN;
    OptionalLong commit = OptionalLong.empty();
    Optional<Owner> owner = Optional.empty();
    if (decision instanceof PrimaryCell primary && store.table(primary.row().table()).isPresent()) {
      Intent lock = intent(primary, start);
      commit = commit(primary, start);
      if (commit.isPresent()) {
        state = State.COMMITTED;
      } else if (lock != null && lock.undecided()) {
        state = State.UNDECIDED;
        owner = Optional.of(owner(lock));
      } else if (lock != null) {
        state = State.ROLLED_BACK;
      }
    }
    return new TransactionTraces(
        start, state, Optional.ofNullable(decision), commit, owner, search.traces, search.isFull());
  }

  private Owner owner(Intent lock) {
    return new Owner(
        lock.owner(),
        seams.liveness().isAlive(lock.owner()),
        seams.wallMillis() - lock.wallMillis());
  }

  private @Nullable Intent intent(PrimaryCell primary, long start) {
    ColumnName column = Families.intent(primary.column());
    Selection at = new Selection(column.family(), column.qualifier(), start, start, 1);
    List<Cell> cells = store.read(RowRead.of(primary.row(), at)).cells();
    return cells.isEmpty() ? null : Intent.decode(cells.get(0).value());
  }

  /** Reads the commit, after the lock: a lock that is gone by then has become a record. */
  private OptionalLong commit(PrimaryCell primary, long start) {
    ColumnName column = primary.column();
    if (column.family().equals(Families.NOTIFY)) {
      return OptionalLong.empty();
    }
    Selection above =
        new Selection(
            column.family(), column.qualifier(), start + 1, Timestamp.MAX, Integer.MAX_VALUE);
    for (Cell cell : store.read(RowRead.of(primary.row(), above)).cells()) {
      if (CommitRecord.read(primary.row(), cell).start() == start) {
        return OptionalLong.of(cell.version());
      }
    }
    return OptionalLong.empty();
  }

  /** Looks through the families that are nearly empty. */
  private final class Search {
    private final long start;
    private final List<Trace> traces = new ArrayList<>();
    private @Nullable DecisionPoint decision;

    Search(long start) {
      this.start = start;
    }

    /**
     * Whether there are enough cells: a transaction larger than the memory has too many to show.
     */
    boolean isFull() {
      return traces.size() >= TransactionTraces.MOST_CELLS;
    }

    void in(String table) {
      ScanRequest request =
          ScanRequest.of(
              table,
              KeyRange.ALL,
              new Selection(Families.INTENT, null, start, start, 1),
              new Selection(Families.NOTIFY, null, start, start, 1));
      try (RowScanner scanner = store.scan(request)) {
        for (RowCells row = scanner.next(); row != null && !isFull(); row = scanner.next()) {
          for (Cell cell : row.cells()) {
            if (!isFull() && !cell.column().qualifier().isEmpty()) {
              add(row.row(), cell);
            }
          }
        }
      }
    }

    private void add(Row row, Cell cell) {
      ColumnName column = Families.column(cell.column().qualifier());
      if (cell.column().family().equals(Families.INTENT)) {
        Intent intent = Intent.decode(cell.value());
        decision = intent.decision();
        String kind =
            intent.kind() == Intent.Kind.ROLLED_BACK
                ? "rollback mark"
                : "intent to " + word(intent.kind());
        traces.add(new Trace(row, column, kind));
      } else {
        Notification notification = Notification.decode(cell.value());
        decision = decision == null ? notification.decision() : decision;
        traces.add(new Trace(row, column, word(notification.kind()) + " notification"));
      }
    }

    private static String word(Enum<?> kind) {
      return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
