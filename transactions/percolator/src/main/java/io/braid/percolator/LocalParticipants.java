package io.braid.percolator;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Transactions.Pin;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.garbage.Participants;
import io.braid.percolator.reads.ActiveSnapshots;
import io.braid.percolator.resolution.DecidedRow;
import io.braid.percolator.resolution.IntentResolver;
import java.util.ArrayList;
import java.util.List;

/** The transactions of this process, as garbage collection sees them. */
final class LocalParticipants implements Participants {
  private final ActiveSnapshots active;
  private final Pins pins;
  private final IntentResolver resolver;
  private final TableCatalog tables;

  LocalParticipants(
      PercolatorContext around, ActiveSnapshots active, Pins pins, IntentResolver resolver) {
    this.active = active;
    this.pins = pins;
    this.resolver = resolver;
    this.tables = around.tables();
  }

  @Override
  public long lowestActive() {
    return active.lowest();
  }

  @Override
  public List<Pin> pins() {
    return pins.pins();
  }

  @Override
  public long settle(List<Unsettled> unsettled) {
    List<IntentResolver.Met> met = new ArrayList<>(unsettled.size());
    long lowest = Timestamp.MAX;
    for (Unsettled each : unsettled) {
      if (each.intent().decision() instanceof PrimaryCell) {
        met.add(new IntentResolver.Met(each.row(), each.intent(), each.weak()));
      } else {
        // An intent of another protocol, which has a sweep of its own: it stays until then.
        lowest = Math.min(lowest, each.intent().start());
      }
    }
    IntentResolver.Resolution resolution = resolver.resolve(met);
    for (IntentResolver.Met each : met) {
      if (!resolution.decisions().containsKey(each.intent().start())) {
        lowest = Math.min(lowest, each.intent().start());
      }
    }
    for (DecidedRow row : resolution.unfinished()) {
      lowest = Math.min(lowest, row.start());
    }
    return lowest;
  }

  @Override
  public long epoch(String table, boolean fresh) {
    return fresh ? tables.refresh(table).epoch() : tables.epoch(table);
  }
}
