package io.braid.percolator;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.percolator.rows.ForeignIntent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for the intents of crashed writers on cells that nobody reads, tablet by tablet, and has
 * them resolved. Intents of owners that are alive and well are left to them.
 */
final class SweepDuty implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SweepDuty.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(20);
  private static final int BATCH = 256;

  private final CellStore store;
  private final IntentResolver resolver;
  private final Seams seams;
  private final PercolatorOptions options;
  private final List<Signal> stops = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private volatile boolean closed;

  SweepDuty(CellStore store, IntentResolver resolver, Seams seams, PercolatorOptions options) {
    this.store = store;
    this.resolver = resolver;
    this.seams = seams;
    this.options = options;
  }

  void start() {
    for (int i = 0; i < options.duties().sweepTasks(); i++) {
      int share = i;
      Signal stop = seams.signal();
      stops.add(stop);
      tasks.add(seams.start("braid-sweep-" + i, () -> run(stop, share)));
    }
  }

  private void run(Signal stop, int share) {
    while (!stop.await(options.duties().sweepInterval()) && !stopped()) {
      try {
        sweep(share);
      } catch (StoreException e) {
        LOG.debug("The sweep broke off and begins anew later.", e);
      }
    }
  }

  /** Sweeps once over the tablets of one task's share. */
  void sweep(int share) {
    int number = 0;
    for (TableSchema schema : store.tables()) {
      if (schema.has(Families.INTENT)) {
        for (Tablet tablet : store.tablets(schema.name())) {
          if (number++ % Math.max(1, options.duties().sweepTasks()) == share && !stopped()) {
            sweep(tablet);
          }
        }
      }
    }
  }

  private void sweep(Tablet tablet) {
    ScanRequest request =
        ScanRequest.of(tablet.table(), tablet.range(), Selection.family(Families.INTENT));
    List<IntentResolver.Met> met = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null && !stopped(); row = scanner.next()) {
        collect(row, met);
        if (met.size() >= BATCH) {
          resolver.resolve(met);
          met.clear();
          seams.sleep(BETWEEN_BATCHES);
        }
      }
    }
    if (!met.isEmpty()) {
      resolver.resolve(met);
    }
  }

  private void collect(RowCells row, List<IntentResolver.Met> met) {
    long fresh = seams.wallMillis() - options.locks().heartbeat().toMillis();
    for (Cell cell : row.cells()) {
      if (!cell.column().qualifier().isEmpty()) {
        Intent intent = Intent.decode(cell.value());
        boolean dead = !seams.liveness().isAlive(intent.owner());
        if (intent.undecided() && (dead || intent.wallMillis() < fresh)) {
          met.add(
              new IntentResolver.Met(
                  row.row(),
                  new ForeignIntent(
                      Families.column(cell.column().qualifier()),
                      cell.version(),
                      intent.decision(),
                      intent.owner(),
                      intent.wallMillis())));
        }
      }
    }
  }

  private boolean stopped() {
    return closed || Backoff.interrupted();
  }

  @Override
  public void close() {
    closed = true;
    stops.forEach(Signal::raise);
    for (Task task : tasks) {
      if (!task.join(CLOSE)) {
        task.stop();
      }
    }
  }
}
