package io.braid.changes.feed;

import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The committed changes of a table in the order of their timestamps. For one thread at a time;
 * holds no resources, and can continue from its {@link #position} in any process.
 *
 * <pre>{@code
 * db.changes().keep("people", Duration.ofDays(7)); // once: from now on they are kept
 * ChangeFeed feed = db.changes("people", null); // all that are kept
 * feed.catchUp();
 * ChangeBatch batch = feed.next(1000);
 * for (Change each : batch.changes()) { ... }
 * // keep batch.position().toString() with what was done; go on later with
 * feed = db.changes("people", Position.parse(kept));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class ChangeFeed {
  private static final int BATCH_ROWS = 256;

  private final CellStore store;
  private final ChangeLogs logs;
  private final String table;
  private Position position;

  ChangeFeed(CellStore store, ChangeLogs logs, String table, Position since) {
    this.store = store;
    this.logs = logs;
    this.table = table;
    this.position = since;
  }

  /** The table of the feed. */
  public String table() {
    return table;
  }

  /** The place where {@link #next next} continues. */
  public Position position() {
    return position;
  }

  /** Returns whether the feed continues at a position that a caller kept. */
  boolean goesOnAt(Position kept) {
    return logs.isSame(table, kept, position);
  }

  /**
   * Brings the log forward until all that was committed before is resolved; waits a few seconds for
   * transactions that are being committed.
   */
  public void catchUp() {
    logs.catchUp(table);
  }

  /**
   * Returns the next resolved changes; never waits for any.
   *
   * @param most the maximum number of rows; fewer are returned when they have some megabytes
   * @throws ChangesException when changes beyond the position are not kept any more
   * @throws io.braid.core.store.StoreException when the store does not answer; try again
   */
  public ChangeBatch next(int most) {
    LogState state = logs.state(table);
    if (position.timestamp() >= state.resolved()) {
      logs.advance(table);
      state = logs.state(table);
    }
    List<Change> changes = new ArrayList<>();
    long resolved = state.resolved();
    boolean all = resolved <= position.timestamp() || read(resolved, most, changes);
    // Changes that were trimmed during the read may be missing.
    logs.requireKept(logs.state(table), position);
    if (!all) {
      position = changes.get(changes.size() - 1).position().of(position.lineage());
    } else if (resolved > position.timestamp()) {
      position = Position.after(resolved).of(position.lineage());
    }
    return new ChangeBatch(changes, position, resolved);
  }

  private boolean read(long resolved, int most, List<Change> changes) {
    ScanRequest request =
        new ScanRequest(
            ChangeRows.log(table),
            position.upTo(resolved),
            List.of(Selection.family(ChangeRows.family())),
            0,
            Math.min(most, BATCH_ROWS));
    long bytes = 0;
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        if (changes.size() == most || bytes >= RowScanner.LIST_BYTES) {
          return false;
        }
        bytes += row.cells().stream().mapToLong(cell -> cell.value().length()).sum();
        changes.add(ChangeRows.decode(table, row));
      }
    }
    return true;
  }
}
