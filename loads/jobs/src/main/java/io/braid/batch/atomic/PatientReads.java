package io.braid.batch.atomic;

import io.braid.batch.LoadContext;
import io.braid.core.data.KeyRange;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads of a table that ask again, some times at most, while tablets cannot be reached. */
final class PatientReads {
  private static final int ATTEMPTS = 10;

  private final LoadContext context;
  private final String table;
  private final Duration pause;
  private final Duration longestPause;

  PatientReads(LoadContext context, String table, Duration pause, Duration longestPause) {
    this.context = context;
    this.table = table;
    this.pause = pause;
    this.longestPause = longestPause;
  }

  /** Asks until the store answers. */
  <T extends @Nullable Object> T ask(Supplier<T> call) {
    Backoff backoff = new Backoff(context.seams(), pause, longestPause);
    while (true) {
      try {
        return call.get();
      } catch (TabletUnavailableException e) {
        pauseOrThrow(backoff, e);
      }
    }
  }

  /** Walks through the rows of a range that have selected cells, each once. */
  void walk(KeyRange range, List<Selection> selections, Consumer<RowCells> each) {
    KeyRange left = range;
    Backoff backoff = new Backoff(context.seams(), pause, longestPause);
    while (true) {
      ScanRequest request = ScanRequest.of(table, left, selections.toArray(Selection[]::new));
      try (RowScanner scanner = context.store().scan(request)) {
        for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
          each.accept(row);
          left = new KeyRange(row.row().key().successor(), range.end());
        }
        return;
      } catch (TabletUnavailableException e) {
        pauseOrThrow(backoff, e);
      }
    }
  }

  private static void pauseOrThrow(Backoff backoff, TabletUnavailableException e) {
    if (backoff.pauses() >= ATTEMPTS || !backoff.pause()) {
      throw e;
    }
  }
}
