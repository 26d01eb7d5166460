package io.braid.percolator;

import io.braid.core.data.KeyRange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a transaction whose writes may go from memory into the store while the scan is open. In
 * this case, the scan of the store is reopened behind the last row.
 */
final class StreamedCursor implements RowCursor {
  private final Function<Scan, RowCursor> opener;
  private final IntSupplier rounds;
  private Scan rest;
  private RowCursor current;
  private int opened;
  private @Nullable RowValues next;

  /**
   * @param opener opens a scan of the writes until now
   * @param rounds how often writes have gone into the store
   */
  StreamedCursor(Scan scan, Function<Scan, RowCursor> opener, IntSupplier rounds) {
    this.opener = opener;
    this.rounds = rounds;
    this.rest = scan;
    this.opened = rounds.getAsInt();
    this.current = opener.apply(scan);
  }

  @Override
  public boolean hasNext() {
    if (next != null) {
      return true;
    }
    if (opened != rounds.getAsInt()) {
      current.close();
      opened = rounds.getAsInt();
      current = opener.apply(rest);
    }
    if (rest.limit() > 0 && current.hasNext()) {
      next = current.next();
    }
    return next != null;
  }

  @Override
  public RowValues next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("The scan has no more rows.");
    }
    RowValues row = next;
    next = null;
    KeyRange behind = new KeyRange(row.row().key().successor(), rest.range().end());
    rest = rest.range(behind).limit(rest.limit() - 1);
    return row;
  }

  @Override
  public void close() {
    current.close();
  }
}
