package io.braid.simulation.planted;

import io.braid.core.cells.Families;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.omid.rows.PostCommit;
import io.braid.percolator.rows.CollectRow;
import io.braid.percolator.rows.CommitRow;
import java.util.List;
import java.util.function.UnaryOperator;

/** Stores that do something else than change feeds need. */
final class FeedAlterations {
  private FeedAlterations() {}

  /** Who makes intents records leaves no marks. */
  static CellStore rollForwardUnmarked(CellStore store) {
    return new AlteredStore(store)
        .with(CommitRow.INSTANCE, (original, rows, a) -> original.run(unmarked(rows), a))
        .with(PostCommit.INSTANCE, (original, rows, a) -> original.run(unmarked(rows), a));
  }

  /** A collection takes versions that the log has yet to read. */
  static CellStore marksCollected(CellStore store) {
    return new AlteredStore(store)
        .with(CollectRow.INSTANCE, (original, rows, a) -> original.run(unmarked(rows), a));
  }

  private static RowAccess unmarked(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public boolean has(Row row, String family) {
        return !family.equals(Families.CHANGES) && rows.has(row, family);
      }
    };
  }

  /** A round does not look for intents. */
  static CellStore intentsUnseen(CellStore store) {
    return new Rounds(
        store,
        request ->
            new ScanRequest(
                request.table(),
                request.range(),
                List.of(Selection.family(Families.CHANGES)),
                request.snapshot(),
                request.batchRows()));
  }

  /** Changes the scans of rounds. */
  private static final class Rounds extends ForwardingStore {
    private final UnaryOperator<ScanRequest> change;

    Rounds(CellStore store, UnaryOperator<ScanRequest> change) {
      super(store);
      this.change = change;
    }

    @Override
    public RowScanner scan(ScanRequest request) {
      boolean round =
          request.selections().stream().anyMatch(each -> each.family().equals(Families.CHANGES));
      return store.scan(round ? change.apply(request) : request);
    }
  }
}
