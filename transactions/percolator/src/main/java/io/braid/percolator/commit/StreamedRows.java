package io.braid.percolator.commit;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.protocol.ChangeHints;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ChangeSink;
import io.braid.percolator.resolution.DecidedRow;
import io.braid.percolator.resolution.Decision;
import io.braid.percolator.resolution.RowFinisher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows with intents of a transaction that was too large to remember them. Looks for these rows
 * where the transaction has written, and rolls them forward or back, a batch at a time. Finds the
 * transaction's notifications on the way, and then gives observers their hints.
 */
final class StreamedRows {
  private static final Logger LOG = LoggerFactory.getLogger(StreamedRows.class);
  private static final int BATCH = 512;

  private final CellStore store;
  private final RowFinisher finisher;
  private final long start;
  private final Left left;
  private final Decision decision;
  private final Deque<Span> spans = new ArrayDeque<>();

  /** The rest of a table's rows. */
  private record Span(String table, KeyRange range) {}

  /**
   * The traces that the transaction may have left besides intents.
   *
   * @param weak whether there may be pending weak notifications
   * @param hints the sink that receives notifications; {@link ChangeSink#NONE} when there are none
   */
  record Left(boolean weak, ChangeSink hints) {
    boolean notifications() {
      return weak || hints != ChangeSink.NONE;
    }
  }

  /**
   * @param tables where the transaction has written: a range for each table
   */
  StreamedRows(
      CellStore store,
      RowFinisher finisher,
      long start,
      Map<String, KeyRange> tables,
      Left left,
      Decision decision) {
    this.store = store;
    this.finisher = finisher;
    this.start = start;
    this.left = left;
    this.decision = decision;
    tables.forEach((table, range) -> spans.add(new Span(table, range)));
  }

  /** Finishes all rows in reach; the rest is left to the transactions that meet it. */
  void finishAll() {
    try {
      while (finishSome()) {
        LOG.trace("{} goes on.", start);
      }
    } catch (StoreException e) {
      LOG.debug("The rest of {} is left to the transactions that meet it.", start, e);
    }
  }

  /**
   * Finishes a batch.
   *
   * @return whether there may be more
   * @throws StoreException when the rows cannot be looked for now: call again
   */
  boolean finishSome() {
    Span span = spans.peek();
    if (span == null) {
      return false;
    }
    List<RowCells> rows = look(span);
    List<DecidedRow> met = new ArrayList<>(rows.size());
    for (RowCells row : rows) {
      met.add(new DecidedRow(row.row(), start, decision, left.weak));
    }
    finisher.finish(met);
    rows.forEach(this::hint);
    spans.remove();
    if (!RowScanner.isEnd(rows, BATCH)) {
      Bytes from = rows.get(rows.size() - 1).row().key().successor();
      spans.addFirst(new Span(span.table, new KeyRange(from, span.range.end())));
    }
    return !spans.isEmpty();
  }

  /** Gives observers their hints of the row's changes. */
  private void hint(RowCells row) {
    ChangeHints.give(
        () -> {
          for (Cell cell : row.cells()) {
            if (decision.isCommitted() && cell.column().family().equals(Families.NOTIFY)) {
              ColumnName changed = Families.column(cell.column().qualifier());
              left.hints.changed(row.row(), changed, start, decision.commit());
            }
          }
        });
  }

  private List<RowCells> look(Span span) {
    List<Selection> selections = new ArrayList<>();
    selections.add(new Selection(Families.INTENT, null, start, start, 1));
    if (left.notifications()) {
      selections.add(new Selection(Families.NOTIFY, null, start, start, 1));
    }
    ScanRequest request = new ScanRequest(span.table, span.range, selections, 0, BATCH);
    try (RowScanner scanner = store.scan(request)) {
      return scanner.nextRows(BATCH);
    } catch (UnknownTableException e) {
      return List.of();
    }
  }
}
