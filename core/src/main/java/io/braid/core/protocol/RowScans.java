package io.braid.core.protocol;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ColumnValues;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.TransactionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads whole rows and ranges of rows at a snapshot. */
public final class RowScans {
  private final CellStore store;
  private final StoreRetries retries;
  private final LongAdder trips;
  private final ColumnReader reader;
  private final Runnable afterReads;

  /**
   * @param trips counts the calls of the store
   */
  public RowScans(CellStore store, StoreRetries retries, LongAdder trips, ColumnReader reader) {
    this(store, retries, trips, reader, () -> {});
  }

  /**
   * @param afterReads throws when the reads before it may not count
   */
  public RowScans(
      CellStore store,
      StoreRetries retries,
      LongAdder trips,
      ColumnReader reader,
      Runnable afterReads) {
    this.afterReads = afterReads;
    this.store = store;
    this.retries = retries;
    this.trips = trips;
    this.reader = reader;
  }

  /** All columns of some families of one row. */
  public RowValues row(Row row, Collection<String> families, long snapshot) {
    ScanColumns columns = ScanColumns.of(row.table(), families, Set.of());
    RowRead read = new RowRead(row, columns.selections(snapshot), snapshot);
    RowCells cells = patiently(snapshot, () -> store.read(read));
    return complete(List.of(cells), columns, snapshot).get(0);
  }

  /**
   * Opens a scan.
   *
   * @param requireOpen throws once the snapshot is closed: its versions are no longer kept then
   */
  public RowCursor open(Scan scan, long snapshot, Runnable requireOpen) {
    return new ScanCursor(this, scan, snapshot, requireOpen);
  }

  /** Opens a raw scan. */
  RowScanner open(String table, KeyRange range, ScanColumns columns, long snapshot, int batch) {
    ScanRequest request =
        new ScanRequest(table, range, columns.selections(snapshot), snapshot, batch);
    return patiently(snapshot, () -> store.scan(request));
  }

  /** The values of rows that were read raw; looks closer, in one trip, where that is needed. */
  List<RowValues> complete(List<RowCells> rows, ScanColumns columns, long snapshot) {
    List<RowValues> complete = plain(rows, columns);
    if (complete == null) {
      complete = lookCloser(rows, columns, snapshot);
    }
    requireKept(snapshot);
    afterReads.run();
    return complete;
  }

  /** Null when a row needs a closer look. */
  private static @Nullable List<RowValues> plain(List<RowCells> rows, ScanColumns columns) {
    List<RowValues> complete = new ArrayList<>(rows.size());
    for (RowCells row : rows) {
      ColumnValues plain = columns.plain(row.row(), row.cells());
      if (plain == null) {
        return null;
      }
      complete.add(new RowValues(row.row(), plain));
    }
    return complete;
  }

  private List<RowValues> lookCloser(List<RowCells> rows, ScanColumns columns, long snapshot) {
    List<SortedMap<ColumnName, Bytes>> values = new ArrayList<>(rows.size());
    List<ColumnReader.RowColumns> open = new ArrayList<>(0);
    List<Integer> openAt = new ArrayList<>(0);
    for (RowCells row : rows) {
      SortedMap<ColumnName, Bytes> seen = new TreeMap<>();
      List<ColumnName> closer = columns.values(row.row(), row.cells(), seen);
      if (!closer.isEmpty()) {
        openAt.add(values.size());
        open.add(new ColumnReader.RowColumns(row.row(), closer));
      }
      values.add(seen);
    }
    if (!open.isEmpty()) {
      List<SortedMap<ColumnName, Bytes>> closer = reader.read(open, snapshot);
      for (int i = 0; i < open.size(); i++) {
        values.get(openAt.get(i)).putAll(closer.get(i));
      }
    }
    List<RowValues> complete = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      complete.add(new RowValues(rows.get(i).row(), values.get(i)));
    }
    return complete;
  }

  /**
   * To be called after the reads. If it does not throw, no version that they needed had been
   * collected.
   */
  private void requireKept(long snapshot) {
    long watermark = patiently(snapshot, store::watermark);
    if (snapshot < watermark) {
      throw TransactionException.snapshotTooOld(snapshot, watermark);
    }
  }

  Backoff backoff() {
    return retries.backoff();
  }

  /** Pauses before a call is tried again; throws the failure after the last attempt. */
  void pauseOrThrow(Backoff backoff, long snapshot, TabletUnavailableException failure) {
    if (backoff.pauses() + 1 >= retries.attempts()) {
      throw failure;
    }
    if (!backoff.pause()) {
      throw TransactionException.interrupted(snapshot);
    }
  }

  private <R> R patiently(long snapshot, Supplier<R> call) {
    Backoff backoff = null;
    while (true) {
      trips.increment();
      try {
        return call.get();
      } catch (TabletUnavailableException e) {
        backoff = backoff != null ? backoff : backoff();
        pauseOrThrow(backoff, snapshot, e);
      }
    }
  }
}
