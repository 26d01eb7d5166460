package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows all observers: those registered here, and those that other processes have put into Braid's
 * own table as rows {@code observer/NAME}.
 */
final class Registry {
  private static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final ColumnName PAUSED = ColumnName.of(Families.SYSTEM, "paused");

  private final CellStore store;
  private final Seams seams;
  private volatile ObservedColumns view = ObservedColumns.NONE;
  private volatile Map<String, Backfill> backfills = Map.of();

  // Guarded by this.
  private final Map<String, Observer> here = new LinkedHashMap<>();
  private List<Stored> stored = List.of();

  Registry(CellStore store, Seams seams) {
    this.store = store;
    this.seams = seams;
  }

  /** What the store has of an observer, but for its backfill. */
  private record Stored(Registration registration, boolean paused) {
    /**
     * @param backfills gets the backfill of the observer
     * @return null when the observer was unregistered
     */
    static @Nullable Stored of(List<Cell> cells, Map<String, Backfill> backfills) {
      Registration registration = null;
      Backfill backfill = null;
      boolean paused = false;
      for (Cell cell : cells) {
        if (cell.column().equals(RegisterObserver.COLUMN)) {
          registration = Registration.CODEC.decode(cell.value());
        } else if (cell.column().equals(Backfill.COLUMN)) {
          backfill = Backfill.CODEC.decode(cell.value());
        } else {
          paused |= cell.column().equals(PAUSED);
        }
      }
      if (registration == null) {
        return null;
      }
      if (backfill != null) {
        backfills.put(registration.name(), backfill);
      }
      return new Stored(registration, paused);
    }
  }

  ObservedColumns view() {
    return view;
  }

  /** The backfills there are, by the names of their observers, as of the last {@link #refresh}. */
  Map<String, Backfill> backfills() {
    return backfills;
  }

  /**
   * Pauses an observer, or resumes it, in all processes; does nothing when it is so already.
   *
   * @throws StoreException when that is not certain: to be called again
   */
  void pause(String name, boolean pause) {
    Row row = RegisterObserver.row(name);
    long version = RegisterObserver.VERSION;
    Bytes since = new Encoder().varint(seams.wallMillis()).finish();
    RowWrite write =
        pause
            ? RowWrite.put(row, new Cell(PAUSED, version, since))
            : RowWrite.remove(row, PAUSED, version);
    Outcome<Void> outcome = store.write(List.of(write), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new TabletUnavailableException(
          "Whether observer "
              + name
              + " is "
              + (pause ? "paused" : "resumed")
              + " is unknown; try again. "
              + outcome);
    }
    refresh();
  }

  void register(Observer observer) {
    Registration wanted = Registration.of(observer);
    ensureParking(wanted.table());
    Registration standing = store(wanted);
    if (!standing.equals(wanted)) {
      throw new IllegalArgumentException(
          "The name is taken by the " + standing + ": choose another one, or unregister that.");
    }
    add(observer);
  }

  /** Tables that are older than parking have no family for it. */
  private void ensureParking(String table) {
    boolean missing = store.table(table).filter(schema -> !schema.has(Families.PARKED)).isPresent();
    if (missing) {
      store.ensureTable(
          new TableSchema(table, List.of(new FamilySchema(Families.PARKED, Kind.SPARSE))));
    }
  }

  private Registration store(Registration wanted) {
    Outcome<Registration> outcome = execute(wanted);
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      if (outcome instanceof Outcome.Done<Registration> done) {
        return done.result();
      }
      seams.sleep(PAUSE);
      outcome = execute(wanted);
    }
    throw new TabletUnavailableException(
        "Whether the " + wanted + " is registered is unknown; register it again. " + outcome);
  }

  private Outcome<Registration> execute(Registration wanted) {
    return store.execute(RegisterObserver.INSTANCE, wanted, Durability.SYNCED);
  }

  /** The observer of this name as this process knows it. */
  Optional<Watch> named(String name) {
    return view.watches().stream().filter(watch -> watch.name().equals(name)).findFirst();
  }

  /**
   * @throws IllegalArgumentException when there is no such observer
   */
  Watch require(String name) {
    return named(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no observer " + name + "; registered are: " + names() + "."));
  }

  private String names() {
    List<String> names = view.watches().stream().map(Watch::name).sorted().toList();
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  void unregister(String name) {
    long version = RegisterObserver.VERSION;
    RowWrite removal =
        new RowWrite(
            RegisterObserver.row(name),
            List.of(),
            List.of(
                new Removal(RegisterObserver.COLUMN, version),
                new Removal(PAUSED, version),
                new Removal(Backfill.COLUMN, version)));
    Outcome<Void> outcome = store.write(List.of(removal), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new StoreException(
          "Observer " + name + " may still be registered; try again. " + outcome);
    }
    remove(name);
  }

  /** Looks for what other processes registered. */
  void refresh() {
    List<Stored> found = new ArrayList<>();
    Map<String, Backfill> all = new TreeMap<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(RegisterObserver.PREFIX),
            Selection.family(Families.SYSTEM));
    try (RowScanner rows = store.scan(request)) {
      for (RowCells row = rows.next(); row != null; row = rows.next()) {
        Stored each = Stored.of(row.cells(), all);
        if (each != null) {
          found.add(each);
        }
      }
    }
    backfills = all;
    found(found);
  }

  private synchronized void add(Observer observer) {
    here.put(observer.name(), observer);
    rebuild();
  }

  private synchronized void remove(String name) {
    here.remove(name);
    stored = stored.stream().filter(each -> !each.registration.name().equals(name)).toList();
    rebuild();
  }

  private synchronized void found(List<Stored> found) {
    if (!stored.equals(found)) {
      stored = found;
      rebuild();
    }
  }

  private void rebuild() {
    Map<String, Watch> all = new LinkedHashMap<>();
    Set<String> paused = new HashSet<>();
    stored.stream()
        .filter(each -> each.paused)
        .forEach(each -> paused.add(each.registration.name()));
    here.forEach(
        (name, each) ->
            all.put(name, Watch.of(Registration.of(each), each.body(), paused.contains(name))));
    stored.forEach(
        each ->
            all.putIfAbsent(
                each.registration.name(), Watch.of(each.registration, null, each.paused)));
    view = new ObservedColumns(all.values());
  }
}
