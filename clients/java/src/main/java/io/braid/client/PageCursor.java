package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.rpc.v1.Result;
import io.braid.rpc.v1.RowData;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Rows of a scan that are asked for page by page, as they are within a transaction. */
final class PageCursor implements RowCursor {
  private final Scan scan;
  private final Pages pages;
  private final Deque<RowData> rows = new ArrayDeque<>();
  private @Nullable Bytes after;
  private long given;
  private boolean last;

  /** Where pages come from. */
  interface Pages {
    /**
     * @param after the last key of the page before; null: the first page
     */
    Result after(Scan scan, @Nullable Bytes after);
  }

  PageCursor(Scan scan, Pages pages) {
    this.scan = scan;
    this.pages = pages;
    fill();
  }

  private void fill() {
    while (rows.isEmpty() && !last && given < scan.limit()) {
      Result page = pages.after(scan, after);
      rows.addAll(page.getRowsList());
      last = !page.hasNext();
      after = page.hasNext() ? Wire.bytes(page.getNext()) : null;
    }
  }

  @Override
  public boolean hasNext() {
    if (given >= scan.limit()) {
      return false;
    }
    fill();
    return !rows.isEmpty();
  }

  @Override
  public RowValues next() {
    RowData row = hasNext() ? rows.poll() : null;
    if (row == null) {
      throw new NoSuchElementException("The scan has no more rows.");
    }
    given++;
    return Wire.values(scan.table(), row);
  }

  @Override
  public void close() {
    last = true;
    rows.clear();
  }
}
