package io.braid.simulation.cluster;

import io.braid.core.data.KeyRange;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A scan in batches; each batch is a request of its own, and may fail. */
final class SimScanner implements RowScanner {
  private final SimStore store;
  private final Deque<RowCells> fetched = new ArrayDeque<>();
  private ScanRequest rest;
  private boolean exhausted;
  private boolean closed;

  SimScanner(SimStore store, ScanRequest request) {
    this.store = store;
    this.rest = request;
  }

  @Override
  public @Nullable RowCells next() {
    if (closed) {
      throw new IllegalStateException("The scan is closed.");
    }
    if (fetched.isEmpty() && !exhausted) {
      fetch();
    }
    return fetched.poll();
  }

  private void fetch() {
    SimStore.Batch batch = store.fetch(rest);
    fetched.addAll(batch.rows());
    exhausted = batch.last();
    if (!exhausted) {
      KeyRange range = new KeyRange(fetched.getLast().row().key().successor(), rest.range().end());
      rest =
          new ScanRequest(
              rest.table(), range, rest.selections(), rest.snapshot(), rest.batchRows());
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
