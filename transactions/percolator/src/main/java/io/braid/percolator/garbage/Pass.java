package io.braid.percolator.garbage;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableWalk;
import io.braid.core.store.Tablet;
import io.braid.core.store.Veils;
import io.braid.percolator.garbage.CollectionReport.Counts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One collection from its low watermark to its end. */
final class Pass {
  /** A tablet from which this share of the bytes was removed is worth rewriting. */
  private static final double WORTH_RECLAIMING = 0.1;

  private static final long LEAST_RECLAIMED = 64 << 10;

  private final CellStore store;
  private final Seams seams;
  private final Participants participants;
  private final PatientScan scans;
  private final Resumption resumption;
  private final CollectionRequest request;
  private final Consumer<CollectionReport> progress;
  private final BooleanSupplier stopped;
  private final Throttle throttle;
  private final long begunNanos;
  private LowWatermark.Bound watermark = new LowWatermark.Bound(0, "");
  private LowWatermark.Bound horizon = watermark;
  private Counts counts = Counts.NONE;
  private int tablets;
  private int tabletsDone;
  private boolean complete;

  Pass(
      CellStore store,
      Seams seams,
      Participants participants,
      Resumption resumption,
      CollectionRequest request,
      Consumer<CollectionReport> progress,
      BooleanSupplier stopped) {
    this.store = store;
    this.seams = seams;
    this.participants = participants;
    this.scans = new PatientScan(store, seams);
    this.resumption = resumption;
    this.request = request;
    this.progress = progress;
    this.stopped = stopped;
    this.throttle = new Throttle(seams, request.rate(), stopped);
    this.begunNanos = seams.nanoTime();
  }

  CollectionReport run(LowWatermark lowWatermark) {
    Settlement settlement =
        new Settlement(store, scans, participants, seams.liveness().token(), stopped);
    if (request.dryRun()) {
      watermark = lowWatermark.look(request.keep());
      horizon = below(settlement.lowestBelow(watermark.timestamp()));
    } else {
      watermark = lowWatermark.raise(request.keep());
      horizon = below(settlement.settleBelow(watermark.timestamp()));
    }
    horizon = horizon.lower(lowestLifted(), "a load committed above the watermark");
    if (!stopped.getAsBoolean() && horizon.timestamp() > 0) {
      walk();
    }
    return report();
  }

  private LowWatermark.Bound below(long unsettled) {
    return watermark.lower(unsettled, "the transaction begun at " + unsettled + " is undecided");
  }

  /**
   * Returns the timestamp just below the cells that only snapshots above the watermark see: the
   * cells above this timestamp have to stay.
   */
  private long lowestLifted() {
    AtomicLong lowest = new AtomicLong(Long.MAX_VALUE);
    TableWalk.each(
        store,
        schema -> {
          for (Veils.Veil veil : store.veils(schema.name()).all()) {
            if (veil.isLifted() && veil.commit() > watermark.timestamp()) {
              lowest.accumulateAndGet(veil.version() - 1, Math::min);
            }
          }
        });
    return lowest.get();
  }

  private void walk() {
    boolean everything = request.table().isEmpty();
    Position begin = everything ? resumption.load() : Position.BEGIN;
    if (!request.dryRun()) {
      // Synced: settled cells must not come back once the decision about them is gone.
      resumption.save(begin, Durability.SYNCED);
      store.settled(horizon.timestamp());
    }
    List<Tablet> ahead = ahead(begin);
    tablets = ahead.size();
    for (Tablet tablet : ahead) {
      boolean first = begin.table().equals(tablet.table());
      if (!walk(tablet, first ? begin.key() : Bytes.EMPTY)) {
        return;
      }
      tabletsDone++;
      progress.accept(report());
    }
    if (everything && !request.dryRun()) {
      resumption.save(Position.BEGIN, Durability.BUFFERED);
    }
    complete = true;
  }

  private List<Tablet> ahead(Position begin) {
    List<Tablet> ahead = new ArrayList<>();
    TableWalk.each(
        store,
        schema -> {
          if (schema.has(Families.INTENT)
              && request.table().orElse(schema.name()).equals(schema.name())) {
            store.tablets(schema.name()).stream()
                .filter(tablet -> !begin.isBeyond(schema.name(), tablet.range()))
                .forEach(ahead::add);
          }
        });
    return ahead;
  }

  private boolean walk(Tablet tablet, Bytes from) {
    TableSchema schema = store.table(tablet.table()).orElse(null);
    if (schema == null) {
      return true;
    }
    Counts before = counts;
    List<Selection> selections = RowGarbage.selections(schema, horizon.timestamp());
    boolean ended =
        new TabletWalk(
                store,
                scans,
                participants,
                tablet,
                selections,
                horizon.timestamp(),
                request.dryRun(),
                (more, next) -> after(more, tablet, next))
            .from(from);
    reclaim(tablet, before);
    return ended;
  }

  private boolean after(Counts more, Tablet tablet, Bytes next) {
    counts = counts.plus(more);
    if (request.table().isEmpty() && !request.dryRun() && !next.isEmpty()) {
      resumption.save(new Position(tablet.table(), next), Durability.BUFFERED);
    }
    progress.accept(report());
    throttle.spend(more.rows(), more.seenBytes());
    return !stopped.getAsBoolean();
  }

  private void reclaim(Tablet tablet, Counts before) {
    long removed = counts.bytes() - before.bytes();
    long seen = counts.seenBytes() - before.seenBytes();
    boolean large = counts.large() > before.large();
    if (!request.dryRun()
        && (large || (removed >= LEAST_RECLAIMED && removed >= seen * WORTH_RECLAIMING))) {
      store.reclaim(tablet.table(), tablet.range());
    }
  }

  private CollectionReport report() {
    return new CollectionReport(
        request.dryRun(),
        watermark.timestamp(),
        horizon.timestamp(),
        horizon.heldBy(),
        complete,
        tablets,
        tabletsDone,
        counts,
        Duration.ofNanos(seams.nanoTime() - begunNanos));
  }
}
