package io.braid.percolator.garbage;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Cell;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.time.Timestamp;
import io.braid.percolator.garbage.Participants.Unsettled;
import io.braid.percolator.rows.ForeignIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Settles all cells of undecided transactions begun below the low watermark, in all tables:
 * intents, and weak notifications that wait for a decision. Once the low watermark is raised, no
 * new ones come up. So cells that one walk does not find are gone for good.
 *
 * <p>A cell that cannot be settled now, because its owner is alive or its row is out of reach,
 * holds the horizon below it: the evidence for its decision stays.
 */
final class Settlement {
  private static final int BATCH = 256;

  private final CellStore store;
  private final PatientScan scans;
  private final Participants participants;
  private final String alive;
  private final BooleanSupplier stopped;
  private final List<Unsettled> met = new ArrayList<>();
  private long lowest = Timestamp.MAX;

  /**
   * @param alive the liveness token of this process
   */
  Settlement(
      CellStore store,
      PatientScan scans,
      Participants participants,
      String alive,
      BooleanSupplier stopped) {
    this.store = store;
    this.scans = scans;
    this.participants = participants;
    this.alive = alive;
    this.stopped = stopped;
  }

  /**
   * Settles as much as possible.
   *
   * @return the lowest start timestamp below the watermark that remains unsettled; the highest of
   *     all if there is none
   */
  long settleBelow(long watermark) {
    look(watermark, () -> lowest = Math.min(lowest, participants.settle(met)));
    return lowest;
  }

  /** As {@link #settleBelow}, without settling anything. */
  long lowestBelow(long watermark) {
    look(watermark, () -> met.forEach(each -> lowest = Math.min(lowest, each.intent().start())));
    return lowest;
  }

  private void look(long watermark, Runnable onBatch) {
    if (watermark == 0) {
      return;
    }
    for (TableSchema schema : store.tables()) {
      if (schema.has(Families.INTENT)) {
        scans.rows(
            schema.name(),
            List.of(
                Selection.family(Families.INTENT).upTo(watermark - 1),
                Selection.family(Families.NOTIFY).upTo(watermark - 1)),
            row -> {
              collect(row);
              if (met.size() >= BATCH) {
                onBatch.run();
                met.clear();
              }
              return !stopped.getAsBoolean();
            });
      }
    }
    if (!met.isEmpty()) {
      onBatch.run();
      met.clear();
    }
  }

  private void collect(RowCells row) {
    for (Cell cell : row.cells()) {
      if (cell.column().equals(Families.hold())) {
        continue;
      }
      if (cell.column().family().equals(Families.INTENT)) {
        Intent intent = Intent.decode(cell.value());
        if (intent.undecided() && !(intent.decision() instanceof PrimaryCell)) {
          // An intent of another protocol, which settles its own intents.
          lowest = Math.min(lowest, cell.version());
        } else if (intent.undecided()) {
          met.add(
              new Unsettled(
                  row.row(),
                  new ForeignIntent(
                      Families.column(cell.column().qualifier()),
                      cell.version(),
                      intent.decision(),
                      intent.owner(),
                      intent.wallMillis()),
                  false));
        }
      } else {
        Notification notification = Notification.decode(cell.value());
        if (notification.kind() == Notification.Kind.WEAK_PENDING
            && notification.decision() instanceof PrimaryCell) {
          met.add(pending(row, cell, notification));
        }
      }
    }
  }

  /** Returns a pending notification. It does not name its writer, which counts as alive. */
  private Unsettled pending(RowCells row, Cell cell, Notification notification) {
    return new Unsettled(
        row.row(),
        new ForeignIntent(
            Families.column(cell.column().qualifier()),
            cell.version(),
            notification.decision(),
            alive,
            Timestamp.wallMillis(cell.version())),
        true);
  }
}
