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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks the cells of transactions against {@code docs/formats/cells.md}, and throws {@link
 * SimulationFailure} as soon as a cell breaks a rule:
 *
 * <ul>
 *   <li>All commit records of a transaction have one version, above its start.
 *   <li>A commit timestamp of the oracle is drawn after the last intent was placed (Fault 1). No
 *       new intent is placed once the transaction is committed.
 *   <li>The commit timestamp is drawn after the primary has ceased to say that the transaction is
 *       still writing. The primary never says so again.
 *   <li>A transaction never has both a rollback mark and a commit record (Faults 10, 11).
 *   <li>No transaction commits after one of its intents was rolled back. Each intent of a committed
 *       transaction becomes a record (Fault 9).
 *   <li>The content of an entry of the commit table never changes. The entry is removed only when
 *       no tentative cell of a committed transaction is left (Fault 20).
 * </ul>
 *
 * <p>{@link WatchedColumns} checks the rules for each column by itself.
 */
public final class ProtocolProbe implements CellListener {
  private final CellStore store;
  private final IssuedTimestamps issued = new IssuedTimestamps();
  private final Map<Long, WatchedTransaction> transactions = new HashMap<>();
  private final WatchedColumns columns;
  private final ObservedChanges observed = new ObservedChanges();

  /** The commit table. */
  private final Map<Long, Long> entries = new HashMap<>();

  /** The starts of loads that have staged cells. */
  private final Set<Long> loads = new HashSet<>();

  /** Tables that loads write. The probe does not know all of their records. */
  private final Set<String> loaded = new HashSet<>();

  private long events;
  private long commits;
  private long streamed;
  private long onePhaseCommits;
  private long cellChecks;

  /** Whether all cells are being looked at again. The order of events means nothing then. */
  private boolean lookingAgain;

  public ProtocolProbe(CellStore store) {
    this.store = store;
    this.columns = new WatchedColumns(store);
  }

  /**
   * Marks a table that loads write. The records known here do not determine what a snapshot sees in
   * the table. The judges of the loads check it.
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
    touched.forEach(WatchedTransaction::checkDecided);
    visible.forEach(columns::checkStillVisible);
  }

  /**
   * Returns what a snapshot at the watermark sees in each column that is about to lose a record.
   */
  private Map<Place, Long> visibleBeforeRemoval(List<Change> changes) {
    Map<Place, Long> visible = new TreeMap<>();
    for (Change change : changes) {
      if (change.value() == null
          && CellKind.of(change) == CellKind.COMMIT_RECORD
          && !loaded.contains(change.row().table())) {
        columns.beforeRemoval(new Place(change.row(), change.column()), visible);
      }
    }
    return visible;
  }

  /**
   * Counts the transactions that have committed something, those of them with one phase, and the
   * changed cells that were checked.
   */
  public void count(Map<String, Long> operations) {
    operations.put("commits", commits);
    operations.put("one-phase-commits", onePhaseCommits);
    operations.put("cell-checks", cellChecks);
    if (streamed > 0) {
      operations.put("streamed", streamed);
    }
    if (columns.recordsCollected() > 0) {
      operations.put("collected", columns.recordsCollected());
    }
    if (observed.deadLettersWritten() > 0) {
      operations.put("dead-letters", observed.deadLettersWritten());
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
    return switch (CellKind.of(change)) {
      case ENTRY -> lookAtEntry(change);
      case INTENT -> lookAtIntent(change);
      case COMMIT_RECORD -> lookAtRecord(change);
      case NOTIFICATION -> {
        observed.lookAtNotification(change);
        yield null;
      }
      case DEAD_LETTER -> {
        observed.lookAtDeadLetter(change, lookingAgain);
        yield null;
      }
      case ASIDE -> null;
    };
  }

  private @Nullable WatchedTransaction lookAtIntent(Change change) {
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
      transaction.marked |= !refusesFastWrites(change.version());
      transaction.places.replace(place, State.INTENT, State.REMOVED);
    } else if (transaction.places.get(place) == State.COMMITTED) {
      // A move of an index copies records. The place may have an intent that waits for its own
      // record.
      if (!lookingAgain || !place.column().family().equals(Families.INDEX)) {
        throw transaction.broken("The intent on " + place + " came back after the commit");
      }
    } else if (transaction.places.put(place, State.INTENT) != State.INTENT) {
      if (transaction.commit != 0 && !lookingAgain) {
        throw transaction.broken("Fault 1: an intent on " + place + " came after the commit");
      }
      transaction.lastIntent = events;
    }
    if (value != null) {
      lookAtPrimary(transaction, place, Intent.decode(value));
    }
    return transaction;
  }

  /**
   * Omid's fast writes that may have to end share marks above the timestamps that they are above,
   * where no transaction began. The records of an index that is built name such a start, too.
   */
  private static boolean refusesFastWrites(long mark) {
    return Timestamp.local(mark) == Timestamp.STEP - 1;
  }

  private void lookAtPrimary(WatchedTransaction transaction, Place place, Intent intent) {
    if (intent.undecided()
        && intent.decision().equals(new PrimaryCell(place.row(), place.column()))
        && transaction.completes(intent.stage().open())) {
      streamed++;
      transaction.lastIntent = events;
    }
  }

  /**
   * Checks an entry of the commit table: the content never changes, and the entry goes only when it
   * is no longer needed.
   */
  private @Nullable WatchedTransaction lookAtEntry(Change change) {
    long start = CommitEntries.start(change.row().key());
    WatchedTransaction transaction = of(start);
    Bytes value = change.value();
    Long stood = value == null ? entries.remove(start) : entries.get(start);
    if (value == null) {
      if (stood != null && stood != CommitEntries.INVALID && transaction.hasIntents()) {
        throw transaction.broken("Fault 20: the entry went before a tentative cell");
      }
      return null;
    }
    long stands = CommitEntries.commit(value);
    if (stood != null && stood != stands) {
      throw transaction.broken("The entry was changed from " + stood + " to " + stands);
    }
    entries.put(start, stands);
    if (stands == CommitEntries.INVALID || transaction.commit == stands) {
      return null;
    }
    if (transaction.commit != 0) {
      throw transaction.broken("A second commit timestamp, " + stands + " in the entry");
    }
    transaction.commit = stands;
    countCommit(stands);
    checkDraw(transaction);
    return transaction;
  }

  private @Nullable WatchedTransaction lookAtRecord(Change change) {
    Place place = new Place(change.row(), change.column());
    long commit = change.version();
    Bytes value = change.value();
    if (value == null) {
      columns.collect(place, commit);
      return null;
    }
    CommitRecord record = CommitRecord.decode(value, commit);
    long start = record.start();
    if (loads.contains(start) || start == commit) {
      return null;
    }
    columns.put(place, commit, record.kind());
    WatchedTransaction transaction = of(start);
    if (transaction.commit == 0) {
      transaction.commit = commit;
      countCommit(commit);
      if (!isFastWrite(start)) {
        checkDraw(transaction);
      }
    } else if (transaction.commit != commit) {
      throw transaction.broken("A second commit timestamp, " + commit + " on " + place);
    }
    transaction.places.put(place, State.COMMITTED);
    // A fast write reads nothing: it counts as begun when it was committed.
    columns.committed(place, isFastWrite(start) ? commit : start, commit);
    return transaction;
  }

  private static boolean isFastWrite(long start) {
    return Timestamp.local(start) != 0;
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
      throw transaction.broken("The commit lies before the start");
    }
    if (Timestamp.local(transaction.commit) == 0) {
      long drawn = issued.eventOf(transaction.commit);
      if (drawn >= 0 && drawn < transaction.lastIntent) {
        throw transaction.broken("Fault 1: the commit timestamp was drawn before the last intent");
      }
    }
  }

  /** To be called when everything has come to rest: no intent and no notification is left. */
  public void checkAtRest() {
    for (WatchedTransaction transaction : transactions.values()) {
      if (transaction.hasIntents()) {
        throw transaction.broken("An intent was left behind");
      }
    }
    if (observed.hasNotifications()) {
      throw new SimulationFailure("Notifications were left behind: " + leftOver());
    }
  }

  /** Returns whether there is any intent. */
  public boolean hasIntents() {
    return transactions.values().stream().anyMatch(WatchedTransaction::hasIntents);
  }

  /** Whether there is a dead letter. */
  public boolean hasDeadLetters() {
    return observed.hasDeadLetters();
  }

  /** The dead letters, by the names of their observers and their rows. */
  public Set<String> deadLetters(BiFunction<String, Row, String> name) {
    return observed.deadLetters(name);
  }

  /** Returns whether there is any notification. */
  public boolean hasNotifications() {
    return observed.hasNotifications();
  }

  /** Returns, for people, what is left that should be gone once everything has come to rest. */
  public String leftOver() {
    return observed
        + ", transactions with intents: "
        + transactions.values().stream().filter(WatchedTransaction::hasIntents).limit(3).toList();
  }

  @Override
  public void lostChanges() {
    observed.clear();
    transactions.clear();
    columns.clear();
    entries.clear();
    lookingAgain = true;
    for (TableSchema schema : store.tables()) {
      if (schema.has(Families.INTENT) || schema.name().equals(CommitEntries.TABLE)) {
        lookAgain(schema);
      }
    }
    columns.eachCollected((start, commit) -> of(start).commit = commit);
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
