package io.braid.testkit.hostile;

import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import org.jspecify.annotations.Nullable;

/**
 * Splits tablets in the middle of the caller's work. Before an item, it splits at the item's last
 * row, so that the rows are no longer in one tablet. During a scan, it splits behind the row just
 * returned.
 */
public final class SplittingStore extends ItemStore {
  private final Strike strike;

  public SplittingStore(CellStore store, Strike strike) {
    super(store);
    this.strike = strike;
  }

  @Override
  protected boolean befalls(Call<?> call) {
    return strike.strikes(call.name());
  }

  @Override
  protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
    Row last = call.rows().stream().max(Row::compareTo).orElseThrow();
    store.splitTablet(last.table(), last.key());
    return call.run();
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    RowScanner scanner = super.scan(request);
    return new RowScanner() {
      @Override
      public @Nullable RowCells next() {
        RowCells row = scanner.next();
        if (row != null && strike.strikes(Strike.NEXT)) {
          store.splitTablet(request.table(), row.row().key().successor());
        }
        return row;
      }

      @Override
      public void close() {
        scanner.close();
      }
    };
  }
}
