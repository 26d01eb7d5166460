package io.braid.observers;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.observers.rows.ReplayChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the rows pending that existed before their observer was registered, some at a time.
 *
 * <p>A row gets a notification if its column has a change that the observer has not acknowledged,
 * or one that is being committed. From there on it is like any change: the acknowledgment ensures
 * that at most one run commits, even if writers write meanwhile or this is repeated. Notifications
 * are durable before the position of the backfill moves past their rows. So the process that goes
 * on after a crash skips no row.
 *
 * <p>Rows that are written behind the position carry notifications of their writers, which know the
 * observer by then: a backfill begins only once every process had time to learn of it.
 */
final class Backfiller {
  private static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final CellStore store;
  private final Seams seams;
  private final ObserverOptions options;
  private final BooleanSupplier crowded;
  private final Consumer<Row> found;
  private final LongSupplier ids;
  private final Map<String, SeenBackfill> firstSeen = new ConcurrentHashMap<>();

  /** When a backfill was first seen in this process. */
  private record SeenBackfill(long id, long nanos) {}

  /**
   * @param crowded whether enough rows already wait here to be visited
   * @param found receives the rows that were made pending
   * @param ids draws the id of a backfill: a current timestamp
   */
  Backfiller(
      CellStore store,
      Seams seams,
      ObserverOptions options,
      BooleanSupplier crowded,
      Consumer<Row> found,
      LongSupplier ids) {
    this.store = store;
    this.seams = seams;
    this.options = options;
    this.crowded = crowded;
    this.found = found;
    this.ids = ids;
  }

  /**
   * Begins a backfill unless the observer has one. Returns the backfill that the observer then has.
   *
   * @param again whether a backfill that is done begins again
   */
  Backfill request(String observer, @Nullable Backfill standing, boolean again) {
    return standing != null && !(again && standing.done()) ? standing : begin(observer, standing);
  }

  private Backfill begin(String observer, @Nullable Backfill before) {
    return change(observer, before, Backfill.requested(ids.getAsLong(), seams.wallMillis()));
  }

  /**
   * How long to wait until all processes can be expected to know the observer: from when it was
   * first seen here, since the clocks of two machines, or of one before and after it was set, tell
   * nothing together.
   */
  Duration untilAllKnow(String observer, Backfill backfill) {
    if (backfill.rows() > 0) {
      return Duration.ZERO;
    }
    long now = seams.nanoTime();
    SeenBackfill seen =
        firstSeen.compute(
            observer,
            (name, before) ->
                before != null && before.id == backfill.id()
                    ? before
                    : new SeenBackfill(backfill.id(), now));
    long left = 2 * options.registryInterval().toNanos() - (now - seen.nanos);
    return Duration.ofNanos(Math.max(0, left));
  }

  /**
   * Does the next rows and waits as long as the bound asks for; how far it is then.
   *
   * @throws io.braid.core.store.UnknownTableException when the table is not there
   */
  Backfill step(Watch watch, Backfill backfill) {
    long begin = seams.nanoTime();
    for (int i = 0; crowded.getAsBoolean() && i < ATTEMPTS; i++) {
      seams.sleep(PAUSE);
    }
    String table = watch.registration().table();
    long birth = store.birth(table);
    if (backfill.id() < birth) {
      return begin(watch.name(), backfill); // it has come so far in a table that was dropped
    }
    List<RowCells> page =
        new RowPages(store, table, new KeyRange(backfill.next(), null), selections(watch)).first();
    if (store.birth(table) != birth) {
      return backfill; // nothing is known of the table that the page is of
    }
    List<Row> pending = new ArrayList<>();
    for (RowCells row : page) {
      if (isPending(watch, row)) {
        pending.add(row.row());
      }
    }
    notify(watch, backfill.id(), pending);
    boolean done = page.size() < RowPages.PAGE_ROWS;
    Bytes next = done ? Bytes.EMPTY : page.get(page.size() - 1).row().key().successor();
    Backfill after =
        new Backfill(
            backfill.id(),
            next,
            done,
            backfill.rows() + page.size(),
            backfill.notified() + pending.size(),
            backfill.requestedMillis(),
            seams.wallMillis());
    Backfill standing = change(watch.name(), backfill, after);
    pending.forEach(found);
    long nanos = page.size() * 1_000_000_000L / options.bounds().backfilledRows();
    long left = nanos - (seams.nanoTime() - begin);
    if (left > 0 && !done) {
      seams.sleep(Duration.ofNanos(left));
    }
    return standing;
  }

  private static List<Selection> selections(Watch watch) {
    ColumnName column = watch.registration().column();
    return List.of(
        Selection.column(column).newest(1),
        Selection.column(Families.intent(column)),
        Selection.column(watch.acknowledgment().name()).newest(1));
  }

  private static boolean isPending(Watch watch, RowCells row) {
    long changed = 0;
    long acknowledged = 0;
    for (Cell cell : row.cells()) {
      if (cell.column().family().equals(Families.INTENT)) {
        if (Intent.read(row.row(), cell).undecided()) {
          return true;
        }
      } else if (cell.column().equals(watch.acknowledgment().name())) {
        acknowledged = CommitRecord.read(row.row(), cell).start();
      } else {
        changed = cell.version();
      }
    }
    return changed > acknowledged;
  }

  private void notify(Watch watch, long id, List<Row> rows) {
    ColumnName column = watch.registration().column();
    List<RowWrite> open = new ArrayList<>();
    for (Row row : rows) {
      Bytes value = ReplayChange.notification(row, column, false);
      open.add(RowWrite.put(row, new Cell(Families.notification(column), id, value)));
    }
    for (int attempt = 1; !open.isEmpty(); attempt++) {
      List<Outcome<Void>> outcomes = store.write(open, Durability.SYNCED);
      List<RowWrite> failed = new ArrayList<>();
      for (int i = 0; i < open.size(); i++) {
        if (!(outcomes.get(i) instanceof Outcome.Done<Void>)) {
          failed.add(open.get(i));
        }
      }
      if (!failed.isEmpty() && attempt == ATTEMPTS) {
        throw new TabletUnavailableException(
            "The backfill for observer " + watch.name() + " stopped; it goes on when asked again.");
      } else if (!failed.isEmpty()) {
        seams.sleep(PAUSE);
      }
      open = failed;
    }
  }

  private Backfill change(String observer, @Nullable Backfill before, Backfill after) {
    ChangeBackfill.Request request =
        new ChangeBackfill.Request(
            observer,
            before == null ? Bytes.EMPTY : Backfill.CODEC.encode(before),
            Backfill.CODEC.encode(after));
    Outcome<Bytes> outcome = store.execute(ChangeBackfill.INSTANCE, request, Durability.SYNCED);
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      if (outcome instanceof Outcome.Done<Bytes> done) {
        return Backfill.CODEC.decode(done.result());
      }
      seams.sleep(PAUSE);
      outcome = store.execute(ChangeBackfill.INSTANCE, request, Durability.SYNCED);
    }
    throw new TabletUnavailableException(
        "How far the backfill for observer "
            + observer
            + " is could not be noted; it goes on when"
            + " asked again. "
            + outcome);
  }
}
