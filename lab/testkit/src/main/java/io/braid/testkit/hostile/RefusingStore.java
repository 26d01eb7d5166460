package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletUnavailableException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fails before anything happened: items are not executed, and reads, scans and tablet lists find
 * the tablet unavailable, open scans too.
 */
public final class RefusingStore extends ItemStore {
  private final Strike strike;

  public RefusingStore(CellStore store, Strike strike) {
    super(store);
    this.strike = strike;
  }

  @Override
  protected boolean befalls(Call<?> call) {
    return strike.strikes(call.name());
  }

  @Override
  protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
    return Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "The tablet is away, on purpose.");
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    refuse(Strike.READ);
    return super.read(requests);
  }

  @Override
  public List<Tablet> tablets(String table) {
    refuse(Strike.TABLETS);
    return super.tablets(table);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    refuse(Strike.SCAN);
    return new Scan(super.scan(request));
  }

  private void refuse(String call) {
    if (strike.strikes(call)) {
      throw new TabletUnavailableException("The tablet is away, on purpose: " + call + ".");
    }
  }

  private final class Scan implements RowScanner {
    private final RowScanner scanner;
    private boolean broken;

    Scan(RowScanner scanner) {
      this.scanner = scanner;
    }

    @Override
    public @Nullable RowCells next() {
      if (broken) {
        throw new TabletUnavailableException("The scan broke before, on purpose.");
      }
      try {
        refuse(Strike.NEXT);
        return scanner.next();
      } catch (TabletUnavailableException e) {
        broken = true;
        throw e;
      }
    }

    @Override
    public void close() {
      scanner.close();
    }
  }
}
