package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.observers.schedule.Places;
import io.braid.observers.schedule.Signals;
import io.braid.observers.schedule.VisitLocks;
import io.braid.observers.schedule.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that looks for rows with notifications (Percolator, section 2.4) whose hint was dropped,
 * or was lost with its process or on the way from another process.
 *
 * <p>A sweep of a table begins at a random place, goes on to the end of the table, and then from
 * the beginning of the table to its starting place. The scanner locks each row in the lock service
 * until the row has been visited. A row that another scanner holds means that one scanner follows
 * the other. Then this scanner teleports: the sweep begins again at another random place. After
 * some teleports the scanner walks past such rows, so that each sweep comes to an end.
 */
final class Scanner {
  private static final Logger LOG = LoggerFactory.getLogger(Scanner.class);
  private static final int PAGE_ROWS = 64;
  private static final int MOST_TELEPORTS = 8;
  private static final Duration ROOM_WAIT = Duration.ofSeconds(1);

  private final CellStore store;
  private final Registry registry;
  private final WorkQueue queue;
  private final VisitLocks locks;
  private final RestingRows resting;
  private final Counters counters;
  private final Duration interval;
  private final Seams seams;
  private final Signals signals;
  private final Places places;

  Scanner(
      CellStore store,
      Registry registry,
      WorkQueue queue,
      VisitLocks locks,
      RestingRows resting,
      Counters counters,
      Duration interval,
      Seams seams,
      Signals signals) {
    this.store = store;
    this.registry = registry;
    this.queue = queue;
    this.locks = locks;
    this.resting = resting;
    this.counters = counters;
    this.interval = interval;
    this.seams = seams;
    this.signals = signals;
    this.places = new Places(store, seams);
  }

  void run() {
    try {
      while (!signals.closing()) {
        sweepAll();
        if (!signals.closing()) {
          long half = interval.toNanos() / 2;
          signals.sweep.await(Duration.ofNanos(half + seams.random().nextLong(2 * half + 1)));
        }
      }
    } finally {
      signals.passOn();
    }
  }

  /** Sweeps every observed table once, in a random order. */
  void sweepAll() {
    List<String> tables = new ArrayList<>(registry.view().tablesRunHere());
    RandomGenerator random = seams.random();
    while (!tables.isEmpty() && !signals.closing()) {
      String table = tables.remove(random.nextInt(tables.size()));
      try {
        sweep(table);
      } catch (StoreException e) {
        LOG.debug("The sweep of table {} is put off.", table, e);
      } catch (RuntimeException | VirtualMachineError | LinkageError e) {
        LOG.warn("The sweep of table {} went wrong and is put off.", table, e);
      }
    }
  }

  private void sweep(String table) {
    for (int teleports = 0; ; teleports++) {
      boolean mayTeleport = teleports < MOST_TELEPORTS;
      Bytes begin = places.pick(table);
      if (walk(table, new KeyRange(begin, null), mayTeleport)
          && walk(table, new KeyRange(Bytes.EMPTY, begin), mayTeleport)) {
        return;
      }
      if (signals.closing()) {
        return;
      }
      counters.teleports.increment();
    }
  }

  /** Walks through a range; false when it broke off because it met another scanner. */
  private boolean walk(String table, KeyRange range, boolean mayTeleport) {
    KeyRange rest = range;
    while (!rest.isEmpty()) {
      List<RowCells> page = page(table, rest);
      for (RowCells row : page) {
        if (isWanted(row) && !take(row.row(), mayTeleport)) {
          return false;
        }
      }
      if (page.size() < PAGE_ROWS) {
        return true;
      }
      Bytes last = page.get(page.size() - 1).row().key();
      rest = new KeyRange(last.successor(), range.end());
    }
    return true;
  }

  /** Some rows at a time, so that no scan stays open while this task waits. */
  private List<RowCells> page(String table, KeyRange range) {
    Selection newest = Selection.family(Families.NOTIFY).newest(1);
    ScanRequest request = new ScanRequest(table, range, List.of(newest), 0, PAGE_ROWS);
    List<RowCells> page = new ArrayList<>();
    try (RowScanner rows = store.scan(request)) {
      RowCells row = rows.next();
      while (row != null) {
        page.add(row);
        row = page.size() < PAGE_ROWS ? rows.next() : null;
      }
    }
    return page;
  }

  private boolean isWanted(RowCells row) {
    ObservedColumns observed = registry.view();
    long newest = 0;
    for (Cell cell : row.cells()) {
      if (observed.isRunHere(row.row().table(), Families.column(cell.column().qualifier()))) {
        newest = Math.max(newest, cell.version());
      }
    }
    return newest > 0 && !resting.isResting(row.row(), newest, observed);
  }

  /** Passes the row on to the workers; false when another scanner has it. */
  private boolean take(Row row, boolean mayTeleport) {
    places.remember(row.table(), row.key());
    WorkQueue.Claim claim = claim(row);
    if (claim instanceof WorkQueue.Claim.Busy busy) {
      return !(busy.byOtherScanner() && mayTeleport);
    }
    if (!(claim instanceof WorkQueue.Claim.Claimed claimed)) {
      return false;
    }
    boolean locked = false;
    try {
      locked = locks.tryLock(row);
    } finally {
      if (locked) {
        queue.found(claimed.item());
      } else {
        queue.unclaim(claimed.item());
      }
    }
    signals.work.raise();
    return locked || !mayTeleport;
  }

  /** Waits until the workers are through with what was claimed before; null at the end. */
  private WorkQueue.@Nullable Claim claim(Row row) {
    while (!signals.closing()) {
      WorkQueue.Claim claim = queue.claim(row, this);
      if (!(claim instanceof WorkQueue.Claim.NoRoom)) {
        if (queue.hasRoomForScanners()) {
          signals.room.raise();
        }
        return claim;
      }
      signals.room.await(ROOM_WAIT);
    }
    return null;
  }
}
