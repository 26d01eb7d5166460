package io.braid.core.protocol;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A scan of a snapshot. Fetches ahead in chunks that grow, so that short scans stay cheap. */
public final class ScanCursor implements RowCursor {
  private static final int FIRST_CHUNK = 16;
  private static final int LARGEST_CHUNK = 512;

  private final RowScans scans;
  private final ScanColumns columns;
  private final String table;
  private final @Nullable Bytes end;
  private final long snapshot;
  private final Runnable requireOpen;
  private List<RowValues> ready = List.of();
  private int next;

  /**
   * Rows that are fetched but not completed. A repeated call continues with them after a failure,
   * and so does the next call after one that has gathered enough bytes.
   */
  private final List<RowCells> fetched = new ArrayList<>();

  /**
   * Bytes of the fetched rows. The second field includes their large values, which are not fetched
   * yet.
   */
  private long fetchedBytes;

  private long wholeBytes;

  private @Nullable RowScanner raw;
  private Bytes from;
  private long left;
  private int chunk;
  private boolean exhausted;

  /** There is nothing more, and what there was has been completed. */
  private boolean ended;

  private boolean closed;

  /**
   * @param requireOpen throws once the snapshot is closed: its versions are no longer kept then
   */
  public ScanCursor(RowScans scans, Scan scan, long snapshot, Runnable requireOpen) {
    this.scans = scans;
    this.columns = ScanColumns.of(scan);
    this.table = scan.table();
    this.from = scan.range().start();
    this.end = scan.range().end();
    this.left = scan.limit();
    this.snapshot = snapshot;
    this.requireOpen = requireOpen;
    this.chunk = FIRST_CHUNK;
    this.exhausted = scan.range().isEmpty();
    this.ended = exhausted;
    this.raw = exhausted || left == 0 ? null : openRaw();
  }

  @Override
  public boolean hasNext() {
    if (closed) {
      throw new IllegalStateException("The scan is closed.");
    }
    requireOpen.run();
    while (next == ready.size() && left > 0 && !ended) {
      fetch();
    }
    return left > 0 && next < ready.size();
  }

  @Override
  public RowValues next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The scan has no more rows.");
    }
    left--;
    return ready.get(next++);
  }

  private void fetch() {
    int wanted = (int) Math.min(chunk, left);
    chunk = Math.min(LARGEST_CHUNK, chunk * 2);
    while (fetched.size() < wanted && fetchedBytes < RowScanner.LIST_BYTES && !exhausted) {
      int most = wanted - fetched.size();
      List<RowCells> rows = nextRaw(most);
      exhausted = RowScanner.isEnd(rows, most);
      rows.forEach(this::add);
    }
    List<RowCells> some = wholeBytes <= RowScanner.LIST_BYTES ? fetched : fetched.subList(0, fit());
    ready = scans.complete(some, columns, snapshot);
    ready.removeIf(RowValues::isEmpty);
    next = 0;
    List<RowCells> later = List.copyOf(fetched.subList(some.size(), fetched.size()));
    fetched.clear();
    fetchedBytes = 0;
    wholeBytes = 0;
    later.forEach(this::add);
    ended = exhausted && later.isEmpty();
  }

  private void add(RowCells row) {
    fetched.add(row);
    fetchedBytes += row.bytes();
    wholeBytes += columns.wholeBytes(row);
    from = row.row().key().successor();
  }

  /** How many of the fetched rows may be completed together: one at least. */
  private int fit() {
    int rows = 0;
    for (long bytes = 0; rows < fetched.size() && bytes < RowScanner.LIST_BYTES; rows++) {
      bytes += columns.wholeBytes(fetched.get(rows));
    }
    return rows;
  }

  /** The next raw rows; opens the scan again where it broke off. Fewer only at the end. */
  private List<RowCells> nextRaw(int most) {
    Backoff backoff = scans.backoff();
    while (true) {
      RowScanner scanner = raw != null ? raw : openRaw();
      raw = scanner;
      try {
        return scanner.nextRows(most);
      } catch (TabletUnavailableException e) {
        closeRaw();
        scans.pauseOrThrow(backoff, snapshot, e);
      }
    }
  }

  private RowScanner openRaw() {
    int batch = (int) Math.min(LARGEST_CHUNK, Math.max(1, left));
    return scans.open(table, new KeyRange(from, end), columns, snapshot, batch);
  }

  private void closeRaw() {
    RowScanner scanner = raw;
    raw = null;
    if (scanner != null) {
      scanner.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    closeRaw();
  }
}
