package io.braid.simulation.probe;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.time.Timestamp;
import io.braid.omid.rows.CommitEntries;
import io.braid.simulation.cluster.CellListener;
import io.braid.simulation.probe.WatchedTransaction.Place;
import io.braid.simulation.probe.WatchedTransaction.State;
import io.braid.simulation.schedule.SimulationFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Knows from {@code docs/formats/cells.md} what the cells of transactions may look like, and throws
 * {@link SimulationFailure} as soon as they do not:
 *
 * <ul>
 *   <li>All commit records of a transaction have one version, above its start.
 *   <li>A commit timestamp of the oracle is drawn after the last intent was placed (Fault 1); no
 *       intent is placed anew once the transaction is committed.
 *   <li>It is drawn after the primary has ceased to say that the transaction is still writing, and
 *       it never says so again.
 *   <li>A rollback mark and a commit record of one transaction never both stand (Faults 10, 11).
 *   <li>No transaction commits after one of its intents was rolled back, and no intent of a
 *       committed transaction goes without becoming a record (Fault 9).
 *   <li>Of two transactions that committed one column, the later began after the earlier committed.
 *   <li>What stands in an entry of the commit table stays, and is removed only when no tentative
 *       cell of a committed transaction is left (Fault 20).
 *   <li>Commit records stay until a collection removes them, which takes nothing above the low
 *       watermark and nothing that a snapshot at the watermark would read (Faults 26, 27).
 * </ul>
 */
public final class ProtocolProbe implements CellListener {
  private final CellStore store;
  private final IssuedTimestamps issued = new IssuedTimestamps();
  private final Map<Long, WatchedTransaction> transactions = new HashMap<>();
  private final Map<Place, TreeMap<Long, Long>> startsByCommit = new HashMap<>();
  private final LiveRecords records = new LiveRecords();

  /** The commit table. */
  private final Map<Long, Long> entries = new HashMap<>();

  /** The commits, by their starts, of records that were collected. */
  private final Map<Long, Long> collected = new HashMap<>();

  /** The starts of loads that have staged cells. */
  private final Set<Long> loads = new HashSet<>();

  /** Tables with records that loads have brought, which nobody here hears of. */
  private final Set<String> loaded = new HashSet<>();

  private final Set<Notified> notifications = new LinkedHashSet<>();
  private final Set<Notified> parked = new LinkedHashSet<>();
  private long timesParked;
  private long recordsCollected;
  private long events;
  private long commits;
  private long streamed;
  private long onePhaseCommits;
  private long cellChecks;

  /** While everything is looked at anew, the order tells nothing. */
  private boolean lookingAgain;

  /** A notification that stands, or a change that is parked. */
  private record Notified(Row row, ColumnName column, long version) {}

  public ProtocolProbe(CellStore store) {
    this.store = store;
  }

  /**
   * Loads write this table: what a snapshot sees in it does not follow from the records known here,
   * and is left to whoever judges the loads.
   */
  public void loads(String table) {
    loaded.add(table);
  }

  @Override
  public void issued(long first, long last) {
    issued.add(first, last, events++);
  }

  @Override
  public void changed(List<Change> changes) {
    events++;
    cellChecks += changes.size();
    Map<Place, Long> visible = visibleBeforeRemoval(changes);
    List<WatchedTransaction> touched = new ArrayList<>();
    for (Change change : changes) {
      WatchedTransaction transaction = look(change);
      if (transaction != null) {
        touched.add(transaction);
      }
    }
    touched.forEach(this::check);
    visible.forEach(this::checkStillVisible);
  }

  /** What a snapshot at the watermark sees in the columns of which a record is about to go. */
  private Map<Place, Long> visibleBeforeRemoval(List<Change> changes) {
    Map<Place, Long> visible = new TreeMap<>();
    for (Change change : changes) {
      Place place = new Place(change.row(), change.column());
      if (change.value() == null && isRecord(change) && !isOfIndex(place)) {
        visible.put(place, records.visible(place, store.watermark()));
      }
    }
    return visible;
  }

  private void checkStillVisible(Place place, long before) {
    long now = records.visible(place, store.watermark());
    if (now != before) {
      throw new SimulationFailure(
          "Fault 26: a snapshot at the low watermark "
              + store.watermark()
              + " saw version "
              + before
              + " of "
              + place
              + ", and sees "
              + now
              + " after the collection.");
    }
  }

  private boolean isRecord(Change change) {
    String family = change.column().family();
    return !change.row().table().equals(Families.SYSTEM_TABLE)
        && !loaded.contains(change.row().table())
        && !change.row().table().equals(CommitEntries.TABLE)
        && !family.endsWith("~large")
        && !family.equals(Families.PARKED)
        && !isOfFeeds(change)
        && !family.equals(Families.NOTIFY)
        && !family.equals(Families.INTENT);
  }

  /** A change mark, or a row of a change log. */
  private static boolean isOfFeeds(Change change) {
    return change.column().family().startsWith("~change");
  }

  /**
   * How many transactions have committed something, how many of these in one phase, and how many
   * changed cells were held against what must be.
   */
  public void count(Map<String, Long> operations) {
    operations.put("commits", commits);
    operations.put("one-phase-commits", onePhaseCommits);
    operations.put("cell-checks", cellChecks);
    if (streamed > 0) {
      operations.put("streamed", streamed);
    }
    if (recordsCollected > 0) {
      operations.put("collected", recordsCollected);
    }
    if (timesParked > 0) {
      operations.put("parked", timesParked);
    }
  }

  /**
   * The commit timestamp of the transaction begun at {@code start}; 0 when it has not committed.
   */
  public long commitOf(long start) {
    WatchedTransaction transaction = transactions.get(start);
    return transaction == null ? 0 : transaction.commit;
  }

  private @Nullable WatchedTransaction look(Change change) {
    String family = change.column().family();
    if (change.row().table().equals(Families.SYSTEM_TABLE)
        || family.endsWith("~large")
        || isOfFeeds(change)) {
      return null;
    }
    if (change.row().table().equals(CommitEntries.TABLE)) {
      return lookAtEntry(change);
    }
    if (family.equals(Families.PARKED)) {
      lookAtParked(change);
      return null;
    }
    if (family.equals(Families.NOTIFY)) {
      lookAtNotification(change);
      return null;
    }
    if (!family.equals(Families.INTENT)) {
      return lookAtRecord(change);
    }
    if (change.column().qualifier().isEmpty()) {
      return null;
    }
    Place place = new Place(change.row(), Families.column(change.column().qualifier()));
    Bytes value = change.value();
    if (value != null && Intent.decode(value).decision() instanceof LoadRecord) {
      loads.add(change.version());
    }
    if (loads.contains(change.version())) {
      // Loads have rules of their own, and a judge of their own.
      return null;
    }
    WatchedTransaction transaction = of(change.version());
    if (value == null) {
      transaction.places.replace(place, State.INTENT, State.REMOVED);
    } else if (!Intent.decode(value).undecided()) {
      transaction.marked = true;
      transaction.places.replace(place, State.INTENT, State.REMOVED);
    } else if (transaction.places.get(place) == State.COMMITTED) {
      throw broken("The intent on " + place + " came back after the commit", transaction);
    } else if (transaction.places.put(place, State.INTENT) != State.INTENT) {
      if (transaction.commit != 0 && !lookingAgain) {
        throw broken("Fault 1: an intent on " + place + " came after the commit", transaction);
      }
      transaction.lastIntent = events;
    }
    if (value != null) {
      lookAtStage(transaction, place, Intent.decode(value));
    }
    return transaction;
  }

  /** While its primary says that a transaction is open, readers go past it. */
  private void lookAtStage(WatchedTransaction transaction, Place place, Intent intent) {
    if (intent.undecided()
        && intent.decision().equals(new PrimaryCell(place.row(), place.column()))) {
      boolean open = intent.stage().open();
      if (open && transaction.complete) {
        throw broken("The primary was opened again", transaction);
      }
      if (transaction.open && !open) {
        transaction.complete = true;
        streamed++;
        transaction.lastIntent = events;
      }
      transaction.open = open;
    }
  }

  /** What stands in an entry of the commit table stays, and goes when nobody needs it. */
  private @Nullable WatchedTransaction lookAtEntry(Change change) {
    long start = CommitEntries.start(change.row().key());
    WatchedTransaction transaction = of(start);
    Bytes value = change.value();
    Long stood = value == null ? entries.remove(start) : entries.get(start);
    if (value == null) {
      if (stood != null
          && stood != CommitEntries.INVALID
          && transaction.places.containsValue(State.INTENT)) {
        throw broken("Fault 20: the entry went before a tentative cell", transaction);
      }
      return null;
    }
    long stands = CommitEntries.commit(value);
    if (stood != null && stood != stands) {
      throw broken("The entry was changed from " + stood + " to " + stands, transaction);
    }
    entries.put(start, stands);
    if (stands == CommitEntries.INVALID || transaction.commit == stands) {
      return null;
    }
    if (transaction.commit != 0) {
      throw broken("A second commit timestamp, " + stands + " in the entry", transaction);
    }
    transaction.commit = stands;
    countCommit(stands);
    checkDraw(transaction);
    return transaction;
  }

  private void lookAtNotification(Change change) {
    Notified notified = new Notified(change.row(), change.column(), change.version());
    if (change.value() == null) {
      notifications.remove(notified);
    } else {
      notifications.add(notified);
    }
  }

  private void lookAtParked(Change change) {
    Notified place = new Notified(change.row(), change.column(), change.version());
    if (change.value() == null) {
      parked.remove(place);
    } else if (parked.add(place) && !lookingAgain) {
      timesParked++;
    }
  }

  private @Nullable WatchedTransaction lookAtRecord(Change change) {
    Place place = new Place(change.row(), change.column());
    long commit = change.version();
    Bytes value = change.value();
    if (value == null) {
      collect(place, commit);
      return null;
    }
    CommitRecord record = CommitRecord.decode(value, commit);
    long start = record.start();
    if (loads.contains(start) || start == commit) {
      return null;
    }
    records.put(place, commit, record.kind());
    WatchedTransaction transaction = of(start);
    if (transaction.commit == 0) {
      transaction.commit = commit;
      countCommit(commit);
      if (!isFastWrite(start)) {
        checkDraw(transaction);
      }
    } else if (transaction.commit != commit) {
      throw broken("A second commit timestamp, " + commit + " on " + place, transaction);
    }
    transaction.places.put(place, State.COMMITTED);
    // A fast write reads nothing: it counts as begun when it was committed.
    if (!isOfIndex(place)) {
      checkNeighbours(place, isFastWrite(start) ? commit : start, commit);
    }
    return transaction;
  }

  /**
   * Index rows are no part of what conflicts: the cell that they follow is. They go when their
   * index moves or is dropped. What the index says is looked at instead.
   */
  private static boolean isOfIndex(Place place) {
    return place.column().family().equals(Families.INDEX);
  }

  private static boolean isFastWrite(long start) {
    return Timestamp.local(start) != 0;
  }

  private void collect(Place place, long commit) {
    if (commit > store.watermark() && !isOfIndex(place)) {
      throw new SimulationFailure(
          "Fault 26: the commit record on "
              + place
              + " at "
              + commit
              + " is gone, though the low watermark is "
              + store.watermark()
              + ".");
    }
    records.remove(place, commit);
    TreeMap<Long, Long> starts = startsByCommit.get(place);
    Long start = starts == null ? null : starts.get(commit);
    if (start != null) {
      collected.put(start, commit);
      recordsCollected++;
    }
  }

  private void countCommit(long commit) {
    if (!lookingAgain) {
      commits++;
      onePhaseCommits += Timestamp.local(commit) == 0 ? 0 : 1;
    }
  }

  private WatchedTransaction of(long start) {
    return transactions.computeIfAbsent(start, WatchedTransaction::new);
  }

  private void checkDraw(WatchedTransaction transaction) {
    if (lookingAgain) {
      return;
    }
    if (transaction.commit <= transaction.start) {
      throw broken("The commit lies before the start", transaction);
    }
    if (Timestamp.local(transaction.commit) == 0) {
      long drawn = issued.eventOf(transaction.commit);
      if (drawn >= 0 && drawn < transaction.lastIntent) {
        throw broken("Fault 1: the commit timestamp was drawn before the last intent", transaction);
      }
    }
  }

  private void checkNeighbours(Place place, long start, long commit) {
    TreeMap<Long, Long> column = startsByCommit.computeIfAbsent(place, p -> new TreeMap<>());
    Map.Entry<Long, Long> before = column.lowerEntry(commit);
    if (before != null && before.getKey() > start) {
      throw overlap(place, start, commit, before);
    }
    Map.Entry<Long, Long> after = column.higherEntry(commit);
    if (after != null && after.getValue() < commit) {
      throw overlap(place, start, commit, after);
    }
    column.put(commit, start);
  }

  private static SimulationFailure overlap(
      Place place, long start, long commit, Map.Entry<Long, Long> other) {
    return new SimulationFailure(
        "Lost update: "
            + place
            + " was committed by two transactions at once: "
            + start
            + " to "
            + commit
            + ", and "
            + other.getValue()
            + " to "
            + other.getKey()
            + ".");
  }

  private void check(WatchedTransaction transaction) {
    if (transaction.commit == 0) {
      return;
    }
    if (transaction.marked) {
      throw broken("Fault 10: both committed and rolled back", transaction);
    }
    if (transaction.places.containsValue(State.REMOVED)) {
      throw broken("Fault 9: committed, but an intent was removed", transaction);
    }
  }

  private static SimulationFailure broken(String what, WatchedTransaction transaction) {
    return new SimulationFailure(what + ": " + transaction);
  }

  /** To be called when everything has come to rest: no intent and no notification is left. */
  public void checkAtRest() {
    for (WatchedTransaction transaction : transactions.values()) {
      if (transaction.places.containsValue(State.INTENT)) {
        throw broken("An intent was left behind", transaction);
      }
    }
    if (!notifications.isEmpty()) {
      throw new SimulationFailure("Notifications were left behind: " + leftOver());
    }
  }

  /** Whether any intent stands. */
  public boolean hasIntents() {
    return transactions.values().stream().anyMatch(t -> t.places.containsValue(State.INTENT));
  }

  /** Whether any change is parked. */
  public boolean hasParked() {
    return !parked.isEmpty();
  }

  /** The changes that are parked, by the names of their observers and their rows. */
  public Set<String> parked(BiFunction<String, Row, String> name) {
    Set<String> names = new TreeSet<>();
    for (Notified place : parked) {
      String qualifier = place.column.qualifier().toUtf8();
      names.add(name.apply(qualifier.substring(0, qualifier.indexOf('/')), place.row));
    }
    return names;
  }

  /** Whether any notification stands. */
  public boolean hasNotifications() {
    return !notifications.isEmpty();
  }

  /** What stands that should not when all has come to rest, for people. */
  public String leftOver() {
    return notifications.size()
        + " notifications: "
        + notifications.stream().limit(3).toList()
        + ", transactions with intents: "
        + transactions.values().stream()
            .filter(t -> t.places.containsValue(State.INTENT))
            .limit(3)
            .toList();
  }

  @Override
  public void lostChanges() {
    notifications.clear();
    parked.clear();
    transactions.clear();
    startsByCommit.clear();
    records.clear();
    entries.clear();
    lookingAgain = true;
    for (TableSchema schema : store.tables()) {
      if (schema.has(Families.INTENT) || schema.name().equals(CommitEntries.TABLE)) {
        lookAgain(schema);
      }
    }
    collected.forEach((start, commit) -> of(start).commit = commit);
    lookingAgain = false;
    transactions.values().forEach(transaction -> transaction.lastIntent = -1);
  }

  private void lookAgain(TableSchema schema) {
    Selection[] everything =
        schema.families().stream()
            .map(family -> Selection.family(family.name()))
            .toArray(Selection[]::new);
    try (RowScanner scanner = store.scan(ScanRequest.of(schema.name(), KeyRange.ALL, everything))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        changed(changesOf(row.row(), row.cells()));
      }
    }
  }

  private static List<Change> changesOf(Row row, List<Cell> cells) {
    List<Change> changes = new ArrayList<>();
    for (Cell cell : cells) {
      ColumnName column = cell.column();
      changes.add(new Change(row, column, cell.version(), cell.value()));
    }
    return changes;
  }
}
