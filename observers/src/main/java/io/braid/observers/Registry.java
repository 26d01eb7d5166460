package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.observers.ChangeRegistration.Kind;
import io.braid.observers.ChangeRegistration.RegistrationState;
import io.braid.observers.ChangeRegistration.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows all observers: those registered here, and those that other processes have put into Braid's
 * own table as rows {@code observer/NAME}.
 */
final class Registry {
  private static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final CellStore store;
  private final Seams seams;
  private final LongSupplier timestamps;
  private volatile ObservedColumns view = ObservedColumns.NONE;
  private volatile Map<String, Backfill> backfills = Map.of();

  // Guarded by this.
  private final Map<String, Observer> here = new LinkedHashMap<>();
  private List<StoredRegistration> stored = List.of();

  /**
   * @param timestamps fresh ones, which put changes of an observer in order
   */
  Registry(CellStore store, Seams seams, LongSupplier timestamps) {
    this.store = store;
    this.seams = seams;
    this.timestamps = timestamps;
  }

  /** The stored state of an observer, except its backfill. */
  private record StoredRegistration(Registration registration, boolean paused) {
    /**
     * @param backfills gets the backfill of the observer
     * @return null when the observer was unregistered
     */
    static @Nullable StoredRegistration of(List<Cell> cells, Map<String, Backfill> backfills) {
      Registration registration = null;
      Backfill backfill = null;
      boolean paused = false;
      for (Cell cell : cells) {
        if (cell.column().equals(ChangeRegistration.COLUMN)) {
          registration = Registration.CODEC.decode(cell.value());
        } else if (cell.column().equals(Backfill.COLUMN)) {
          backfill = Backfill.CODEC.decode(cell.value());
        } else {
          paused |= cell.column().equals(ChangeRegistration.PAUSED);
        }
      }
      if (registration == null) {
        return null;
      }
      if (backfill != null) {
        backfills.put(registration.name(), backfill);
      }
      return new StoredRegistration(registration, paused);
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
    change(name, pause ? Kind.PAUSE : Kind.RESUME, null, now -> now.paused() == pause);
    refresh();
  }

  void register(Observer observer) {
    Registration wanted = Registration.of(observer);
    requireColumn(wanted);
    ensureDeadLetters(wanted.table());
    Registration standing =
        change(wanted.name(), Kind.REGISTER, wanted, now -> now.registration() != null)
            .registration();
    if (!wanted.equals(standing)) {
      throw new IllegalArgumentException(
          "The name is taken by the " + standing + ": choose another one, or unregister that.");
    }
    add(observer);
  }

  /** Tables that are older than dead letters have no family for them. */
  private void ensureDeadLetters(String table) {
    boolean missing =
        store.table(table).filter(schema -> !schema.has(Families.DEAD_LETTERS)).isPresent();
    if (missing) {
      store.ensureTable(
          new TableSchema(
              table, List.of(new FamilySchema(Families.DEAD_LETTERS, TableSchema.Kind.SPARSE))));
    }
  }

  /**
   * Requires that the column exists. An observer of a missing table would wait forever, unnoticed.
   */
  private void requireColumn(Registration wanted) {
    TableSchema schema =
        store
            .table(wanted.table())
            .orElseThrow(
                () ->
                    new UnknownTableException(
                        "There is no table "
                            + wanted.table()
                            + " for the "
                            + wanted
                            + ": create it first."));
    if (!schema.has(wanted.column().family())) {
      throw new UnknownTableException(
          "Table "
              + wanted.table()
              + " has no family "
              + wanted.column().family()
              + " for the "
              + wanted
              + ": create it first.");
    }
  }

  /**
   * Makes a change. Tries again if another change comes first or the store does not answer.
   *
   * @param done whether the stored state is the wanted one
   */
  private RegistrationState change(
      String name, Kind kind, @Nullable Registration wanted, Predicate<RegistrationState> done) {
    Request request = new Request(name, at(), kind, wanted, seams.wallMillis());
    Outcome<RegistrationState> outcome = execute(request);
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      if (outcome instanceof Outcome.Done<RegistrationState> made) {
        if (done.test(made.result())) {
          return made.result();
        }
        // A later change by another caller came first.
        request = new Request(name, at(), kind, wanted, seams.wallMillis());
      }
      seams.sleep(PAUSE);
      outcome = execute(request);
    }
    if (outcome instanceof Outcome.Done<RegistrationState> made && done.test(made.result())) {
      return made.result();
    }
    throw new TabletUnavailableException(
        "Whether it worked to "
            + kind.name().toLowerCase(Locale.ROOT)
            + " observer "
            + name
            + " is unknown; try again. "
            + outcome);
  }

  private long at() {
    try {
      return timestamps.getAsLong();
    } catch (TimestampUnavailableException e) {
      throw new TabletUnavailableException(
          "There is no timestamp for the change of an observer; try again. " + e.getMessage());
    }
  }

  private Outcome<RegistrationState> execute(Request request) {
    return store.execute(ChangeRegistration.INSTANCE, request, Durability.SYNCED);
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
    change(name, Kind.UNREGISTER, null, now -> now.registration() == null);
    remove(name);
  }

  /** Looks for what other processes registered. */
  void refresh() {
    List<StoredRegistration> found = new ArrayList<>();
    Map<String, Backfill> all = new TreeMap<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(ChangeRegistration.PREFIX),
            Selection.family(Families.SYSTEM));
    try (RowScanner rows = store.scan(request)) {
      for (RowCells row = rows.next(); row != null; row = rows.next()) {
        StoredRegistration each = StoredRegistration.of(row.cells(), all);
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

  private synchronized void found(List<StoredRegistration> found) {
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
            all.put(name, Watch.of(Registration.of(each), each, paused.contains(name))));
    stored.forEach(
        each ->
            all.putIfAbsent(
                each.registration.name(), Watch.of(each.registration, null, each.paused)));
    view = new ObservedColumns(all.values());
  }
}
