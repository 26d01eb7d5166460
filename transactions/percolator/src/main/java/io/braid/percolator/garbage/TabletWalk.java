package io.braid.percolator.garbage;

import io.braid.core.cells.Families;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.Tablet;
import io.braid.core.store.UnknownTableException;
import io.braid.percolator.garbage.CollectionReport.Counts;
import io.braid.percolator.rows.CollectRow;
import io.braid.percolator.rows.PercolatorAnswer;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the rows of one tablet, a batch at a time. Rows that cannot be collected now are counted
 * and left to the next collection.
 */
final class TabletWalk {
  private static final int BATCH_ROWS = 512;
  private static final long BATCH_BYTES = 4 << 20;
  private static final int EPOCH_ATTEMPTS = 3;

  private final CellStore store;
  private final PatientScan scans;
  private final Participants participants;
  private final Tablet tablet;
  private final List<Selection> selections;
  private final long horizon;
  private final boolean deadLetters;
  private final boolean dryRun;
  private final AfterBatch after;
  private final List<RowGarbage> batch = new ArrayList<>();
  private Counts inBatch = Counts.NONE;
  private boolean goOn = true;

  /** Receives each batch. */
  interface AfterBatch {
    /**
     * @param next the first key that was not looked at
     * @return whether to go on
     */
    boolean done(Counts counts, Bytes next);
  }

  TabletWalk(
      CellStore store,
      PatientScan scans,
      Participants participants,
      Tablet tablet,
      List<Selection> selections,
      long horizon,
      boolean dryRun,
      AfterBatch after) {
    this.store = store;
    this.scans = scans;
    this.participants = participants;
    this.tablet = tablet;
    this.selections = selections;
    this.horizon = horizon;
    this.deadLetters =
        selections.stream().anyMatch(each -> each.family().equals(Families.DEAD_LETTERS));
    this.dryRun = dryRun;
    this.after = after;
  }

  /** Walks from a key to the end of the tablet; returns whether the walk reached the end. */
  boolean from(Bytes start) {
    KeyRange range = tablet.range().intersect(new KeyRange(start, null));
    scans.rows(tablet.table(), range, selections, this::visit);
    if (goOn) {
      Bytes end = range.end();
      finish(end == null ? Bytes.EMPTY : end);
    }
    return goOn;
  }

  private boolean visit(RowCells cells) {
    RowGarbage garbage = RowGarbage.of(cells, horizon);
    inBatch = inBatch.plus(garbage.counts());
    if (!garbage.isEmpty()) {
      batch.add(garbage);
    }
    if (inBatch.rows() >= BATCH_ROWS || inBatch.seenBytes() >= BATCH_BYTES) {
      finish(cells.row().key().successor());
    }
    return goOn;
  }

  private void finish(Bytes next) {
    long skipped = 0;
    List<RowGarbage> rows = List.copyOf(batch);
    while (!rows.isEmpty() && !dryRun) {
      skipped += collect(rows);
      rows = skipped == 0 ? rest(rows) : List.of();
    }
    Counts counts = inBatch.withSkipped(skipped);
    batch.clear();
    inBatch = Counts.NONE;
    goOn = after.done(counts, next);
  }

  /** Returns the rest of the garbage of rows with very many versions. */
  private List<RowGarbage> rest(List<RowGarbage> rows) {
    List<RowGarbage> rest = new ArrayList<>(0);
    for (RowGarbage row : rows) {
      if (row.truncated()) {
        RowCells cells = store.read(new RowRead(row.row(), selections, 0));
        RowGarbage more = RowGarbage.of(cells, horizon);
        inBatch = inBatch.plus(more.counts().rowless());
        rest.add(more);
      }
    }
    rest.removeIf(RowGarbage::isEmpty);
    return rest;
  }

  /** Collects rows; returns how many of them could not be collected. */
  private long collect(List<RowGarbage> rows) {
    List<RowGarbage> open = rows;
    long skipped = 0;
    for (int attempt = 0; attempt < EPOCH_ATTEMPTS && !open.isEmpty(); attempt++) {
      List<RowGarbage> stale = new ArrayList<>(0);
      List<Outcome<PercolatorAnswer>> outcomes = send(open, attempt > 0);
      for (int i = 0; i < open.size(); i++) {
        if (outcomes.get(i) instanceof Outcome.Done<PercolatorAnswer> done) {
          if (done.result() instanceof PercolatorAnswer.Refused refused) {
            if (refused.refusal() instanceof Refusal.StaleEpoch) {
              stale.add(open.get(i));
            } else {
              skipped++;
            }
          }
        } else {
          skipped++;
        }
      }
      open = stale;
    }
    return skipped + open.size();
  }

  private List<Outcome<PercolatorAnswer>> send(List<RowGarbage> rows, boolean stale) {
    List<CollectRow.Request> requests = new ArrayList<>(rows.size());
    try {
      long epoch = participants.epoch(tablet.table(), stale);
      for (RowGarbage row : rows) {
        requests.add(new CollectRow.Request(row.row(), epoch, horizon, row.columns(), deadLetters));
      }
      return store.execute(CollectRow.INSTANCE, requests, Durability.BUFFERED);
    } catch (UnknownTableException e) {
      List<Outcome<PercolatorAnswer>> gone = new ArrayList<>();
      rows.forEach(row -> gone.add(gone(row.row())));
      return gone;
    }
  }

  private static Outcome<PercolatorAnswer> gone(Row row) {
    return Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "The table of " + row + " has gone.");
  }
}
