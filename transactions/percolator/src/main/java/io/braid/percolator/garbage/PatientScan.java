package io.braid.percolator.garbage;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import java.time.Duration;
import java.util.List;

/** Scans that continue after the last row when a tablet was unavailable for a while. */
final class PatientScan {
  private static final int ATTEMPTS = 8;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final CellStore store;
  private final Seams seams;

  PatientScan(CellStore store, Seams seams) {
    this.store = store;
    this.seams = seams;
  }

  /** Takes rows. */
  interface Visitor {
    /** Whether to go on. */
    boolean visit(RowCells row);
  }

  void rows(String table, List<Selection> selections, Visitor visitor) {
    rows(table, KeyRange.ALL, selections, visitor);
  }

  /** Visits all rows of a range; none when the table has gone. */
  void rows(String table, KeyRange range, List<Selection> selections, Visitor visitor) {
    Bytes[] from = {range.start()};
    for (int attempt = 1; ; attempt++) {
      Bytes before = from[0];
      try {
        scan(table, new KeyRange(from[0], range.end()), selections, visitor, from);
        return;
      } catch (UnknownTableException e) {
        return;
      } catch (TabletUnavailableException e) {
        attempt = from[0].equals(before) ? attempt : 1;
        if (attempt >= ATTEMPTS || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        seams.sleep(PAUSE.multipliedBy(attempt));
      }
    }
  }

  private void scan(
      String table, KeyRange range, List<Selection> selections, Visitor visitor, Bytes[] from) {
    if (range.isEmpty()) {
      return;
    }
    try (RowScanner scanner = store.scan(new ScanRequest(table, range, selections, 0, 256))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        from[0] = row.row().key().successor();
        if (!visitor.visit(row)) {
          return;
        }
      }
    }
  }
}
