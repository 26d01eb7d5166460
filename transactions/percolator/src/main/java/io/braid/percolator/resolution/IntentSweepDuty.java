package io.braid.percolator.resolution;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableWalk;
import io.braid.core.store.Tablet;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.rows.ForeignIntent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Looks for the intents of crashed writers on cells that have no readers, tablet by tablet, and has
 * them resolved. Owners that are alive and well keep their intents. Intents of other protocols are
 * left to those protocols.
 */
public final class IntentSweepDuty implements AutoCloseable {
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(20);
  private static final int BATCH = 256;

  private final CellStore store;
  private final Seams seams;
  private final PercolatorOptions options;
  private final IntentResolver resolver;
  private final List<Duty> duties = new ArrayList<>();
  private volatile boolean closed;

  public IntentSweepDuty(PercolatorContext around, IntentResolver resolver) {
    this.store = around.store();
    this.seams = around.seams();
    this.options = around.options();
    this.resolver = resolver;
    for (int i = 0; i < options.duties().sweepTasks(); i++) {
      int share = i;
      duties.add(
          Duty.start(
              seams, "braid-sweep-" + i, options.duties().sweepInterval(), () -> sweep(share)));
    }
  }

  /** Sweeps once over all tablets. */
  public void sweepAll() {
    for (int share = 0; share < Math.max(1, options.duties().sweepTasks()); share++) {
      sweep(share);
    }
  }

  /**
   * Ends every transaction that has an intent in a table and began at or below a timestamp. It does
   * so even if the owner is alive or the intents are young.
   */
  public void end(String table, long upTo) {
    ScanRequest request =
        ScanRequest.of(table, KeyRange.ALL, Selection.family(Families.INTENT).upTo(upTo));
    walk(request, Long.MAX_VALUE, resolver::end);
  }

  /** Sweeps once over the tablets of one task's share. */
  public boolean sweep(int share) {
    int shares = Math.max(1, options.duties().sweepTasks());
    AtomicInteger number = new AtomicInteger();
    TableWalk.each(
        store,
        schema -> {
          if (schema.has(Families.INTENT)) {
            for (Tablet tablet : store.tablets(schema.name())) {
              if (number.getAndIncrement() % shares == share && !stopped()) {
                sweep(tablet, seams.wallMillis() - options.locks().heartbeat().toMillis());
              }
            }
          }
        });
    return false;
  }

  /**
   * @param before milliseconds since 1970; younger intents of living owners are left to these
   *     owners
   */
  private void sweep(Tablet tablet, long before) {
    ScanRequest request =
        ScanRequest.of(tablet.table(), tablet.range(), Selection.family(Families.INTENT));
    walk(request, before, resolver::resolve);
  }

  private void walk(ScanRequest request, long before, Consumer<List<IntentResolver.Met>> then) {
    List<IntentResolver.Met> met = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null && !stopped(); row = scanner.next()) {
        collect(row, before, met);
        if (met.size() >= BATCH) {
          then.accept(met);
          met.clear();
          seams.sleep(BETWEEN_BATCHES);
        }
      }
    }
    if (!met.isEmpty()) {
      then.accept(met);
    }
  }

  private void collect(RowCells row, long before, List<IntentResolver.Met> met) {
    for (Cell cell : row.cells()) {
      if (!cell.column().qualifier().isEmpty()) {
        Intent intent = Intent.decode(cell.value());
        boolean dead = !seams.liveness().isAlive(intent.owner());
        boolean ours = intent.decision() instanceof PrimaryCell;
        if (ours && intent.undecided() && (dead || intent.wallMillis() < before)) {
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
    duties.forEach(Duty::close);
  }
}
