package io.braid.core.loads;

import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Liveness;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The work of readers and writers of either protocol that meet staged cells: ask the record, then
 * settle the rows. Readers and writers never wait for a load: the first to ask about a closing load
 * commits it.
 */
public final class LoadDecisions {
  /** No snapshot drawn before it was asked sees the load: it had not committed, or was given up. */
  public static final long UNSEEN = Timestamp.MAX;

  private static final int ATTEMPTS = 3;

  private final CellStore store;
  private final TableCatalog tables;
  private final TimestampOracle oracle;
  private final Liveness liveness;

  /**
   * Staged cells of a load in a row.
   *
   * @param epoch the one that they were staged in
   */
  public record StagedRow(Row row, LoadRecord load, long start, long epoch) {
    /** An intent of a load. */
    public static StagedRow of(Row row, long start, Intent intent) {
      return new StagedRow(row, (LoadRecord) intent.decision(), start, intent.wallMillis());
    }
  }

  /**
   * The result of asking the records.
   *
   * @param decisions by start timestamp: a commit timestamp or UNSEEN; loads without an answer of
   *     the store do not appear
   * @param unsettled the places of cells of loads that are in the way of writers, and of readers if
   *     their load has committed
   */
  public record Answer(Map<Long, Long> decisions, List<StagedRow> unsettled) {}

  public LoadDecisions(
      CellStore store, TableCatalog tables, TimestampOracle oracle, Liveness liveness) {
    this.liveness = liveness;
    this.store = store;
    this.tables = tables;
    this.oracle = oracle;
  }

  public Answer resolve(Collection<StagedRow> met) {
    Set<StagedRow> open = new LinkedHashSet<>(met);
    List<StagedRow> draining = new ArrayList<>(0);
    Map<Long, Long> decisions = new LinkedHashMap<>();
    for (int n = 0; n < ATTEMPTS && !open.isEmpty(); n++) {
      attempt(open, draining, decisions);
    }
    draining.addAll(open);
    return new Answer(decisions, draining);
  }

  /** Gets the staged cells of a load out of a writer's way, if that can be. */
  public void clear(Row row, long start) {
    List<StagedRow> met = new ArrayList<>(1);
    for (Cell cell : store.read(RowRead.of(row, Selection.family(Families.INTENT))).cells()) {
      if (cell.version() == start && !cell.column().qualifier().isEmpty()) {
        Intent intent = Intent.decode(cell.value());
        if (intent.decision() instanceof LoadRecord) {
          met.add(StagedRow.of(row, start, intent));
        }
      }
    }
    resolve(met);
  }

  /**
   * Looks at epochs first, then at records: a record that is still LOADING then was so under it.
   */
  private void attempt(Set<StagedRow> open, List<StagedRow> draining, Map<Long, Long> decisions) {
    Map<String, Long> epochs = new LinkedHashMap<>();
    for (StagedRow each : open) {
      epochs.computeIfAbsent(each.row.table(), table -> tables.refresh(table).epoch());
    }
    Map<String, LoadState> states = new LinkedHashMap<>();
    List<StagedRow> settled = new ArrayList<>();
    List<SettleRow.Request> requests = new ArrayList<>();
    List<StagedRow> done = new ArrayList<>();
    for (StagedRow each : open) {
      LoadState state = states.computeIfAbsent(each.load.load(), this::ask);
      if (state == null) {
        continue;
      }
      decisions.put(each.start, decision(state));
      long epoch = Objects.requireNonNull(epochs.get(each.row.table()));
      if (state.phase() == LoadState.Phase.DRAINING) {
        draining.add(each);
        done.add(each);
      } else if (state.phase() == LoadState.Phase.LOADING && each.epoch == epoch) {
        done.add(each);
      } else {
        settled.add(each);
        requests.add(new SettleRow.Request(each.row, epoch, state));
      }
    }
    done.forEach(open::remove);
    settle(settled, requests, open);
  }

  private void settle(
      List<StagedRow> settled, List<SettleRow.Request> requests, Set<StagedRow> open) {
    if (requests.isEmpty()) {
      return;
    }
    try {
      List<Outcome<Boolean>> outcomes =
          store.execute(SettleRow.INSTANCE, requests, Durability.BUFFERED);
      for (int i = 0; i < requests.size(); i++) {
        boolean kept = requests.get(i).state().phase() == LoadState.Phase.LOADING;
        if (kept || outcomes.get(i) instanceof Outcome.Done<Boolean> done && done.result()) {
          open.remove(settled.get(i));
        }
      }
    } catch (StoreException e) {
      // They stay open: the next caller that needs them asks again.
    }
  }

  private static long decision(LoadState state) {
    return state.phase() == LoadState.Phase.COMMITTED ? state.commit() : UNSEEN;
  }

  /**
   * The record, decided if it is closing, reopened if its drainer is dead; null when the store did
   * not answer.
   */
  public @Nullable LoadState ask(String load) {
    LoadState state = look(store, load);
    if (state != null && state.phase() == LoadState.Phase.CLOSING) {
      state = decide(store, DecideLoad.Request.commit(load, oracle.next()));
      return state != null && state.decided() ? state : null;
    }
    if (state != null
        && state.phase() == LoadState.Phase.DRAINING
        && !liveness.isAlive(state.drainerToken())) {
      return decide(
          store, DecideLoad.Request.draining(load, DecideLoad.Step.REOPEN, state.drainer()));
    }
    return state;
  }

  /**
   * Returns the record in its present state; null when there is none or the store did not answer.
   */
  public static @Nullable LoadState look(CellStore store, String load) {
    return decide(store, DecideLoad.Request.of(load, DecideLoad.Step.BEGIN));
  }

  /** The ids of the loads into a table that are neither committed nor given up, in their order. */
  public static List<String> open(CellStore store, String table) {
    List<String> ids = new ArrayList<>();
    open(store)
        .forEach(
            (id, state) -> {
              if (state.table().equals(table)) {
                ids.add(id);
              }
            });
    return ids;
  }

  /** All loads that are neither committed nor given up, in the order of their ids. */
  public static Map<String, LoadState> open(CellStore store) {
    Map<String, LoadState> open = new LinkedHashMap<>();
    Bytes prefix = LoadState.row("").key();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE, KeyRange.prefix(prefix), Selection.column(LoadState.COLUMN));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        LoadState state = LoadState.decode(row.cells().get(0).value());
        if (!state.decided()) {
          open.put(row.row().key().slice(prefix.length()).toUtf8(), state);
        }
      }
    }
    return open;
  }

  /** Takes a step, synced; null when there is no record or the store did not answer. */
  public static @Nullable LoadState decide(CellStore store, DecideLoad.Request request) {
    try {
      return store.execute(DecideLoad.INSTANCE, request, Durability.SYNCED)
              instanceof Outcome.Done<Optional<LoadState>> done
          ? done.result().orElse(null)
          : null;
    } catch (StoreException e) {
      return null;
    }
  }
}
