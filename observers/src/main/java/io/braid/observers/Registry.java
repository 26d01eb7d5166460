package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows all observers: those registered here, and those that other processes have put into Braid's
 * own table as rows {@code observer/NAME}.
 */
final class Registry {
  private static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final CellStore store;
  private final Seams seams;
  private volatile ObservedColumns view = ObservedColumns.NONE;

  // Guarded by this.
  private final Map<String, Observer> here = new LinkedHashMap<>();
  private List<Registration> stored = List.of();

  Registry(CellStore store, Seams seams) {
    this.store = store;
    this.seams = seams;
  }

  ObservedColumns view() {
    return view;
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
    RowWrite removal =
        RowWrite.remove(
            RegisterObserver.row(name), RegisterObserver.COLUMN, RegisterObserver.VERSION);
    Outcome<Void> outcome = store.write(List.of(removal), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new StoreException(
          "Observer " + name + " may still be registered; try again. " + outcome);
    }
    remove(name);
  }

  /** Looks for what other processes registered. */
  void refresh() {
    List<Registration> found = new ArrayList<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(RegisterObserver.PREFIX),
            Selection.column(RegisterObserver.COLUMN));
    try (RowScanner rows = store.scan(request)) {
      for (RowCells row = rows.next(); row != null; row = rows.next()) {
        found.add(Registration.CODEC.decode(row.cells().get(0).value()));
      }
    }
    found(found);
  }

  private synchronized void add(Observer observer) {
    here.put(observer.name(), observer);
    rebuild();
  }

  private synchronized void remove(String name) {
    here.remove(name);
    stored = stored.stream().filter(each -> !each.name().equals(name)).toList();
    rebuild();
  }

  private synchronized void found(List<Registration> registrations) {
    if (!stored.equals(registrations)) {
      stored = registrations;
      rebuild();
    }
  }

  private void rebuild() {
    Map<String, Watch> all = new LinkedHashMap<>();
    here.values()
        .forEach(each -> all.put(each.name(), Watch.of(Registration.of(each), each.body())));
    stored.forEach(each -> all.putIfAbsent(each.name(), Watch.of(each, null)));
    view = new ObservedColumns(all.values());
  }
}
