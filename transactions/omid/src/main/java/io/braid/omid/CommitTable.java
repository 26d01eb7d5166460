package io.braid.omid;

import static io.braid.omid.rows.CommitEntries.FORGOTTEN;
import static io.braid.omid.rows.CommitEntries.INVALID;

import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.protocol.Trips;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.DecideEntry;
import io.braid.omid.rows.ForgetEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commit table, as clients use it (section 3.1). */
final class CommitTable {
  private static final Logger LOG = LoggerFactory.getLogger(CommitTable.class);

  private final CellStore store;
  private final Trips trips;
  private final OmidCounters counters;
  private final Durability durability;

  CommitTable(ProtocolContext around) {
    this.store = around.store();
    this.trips = around.trips();
    this.counters = around.counters();
    this.durability = around.atCommit();
  }

  /** Creates the table and splits it into tablets, if this is not done yet. */
  static void ensure(CellStore store) {
    store.ensureTable(CommitEntries.schema());
    try {
      if (store.tablets(CommitEntries.TABLE).size() == 1) {
        CommitEntries.splits().forEach(key -> store.splitTablet(CommitEntries.TABLE, key));
      }
    } catch (TabletUnavailableException e) {
      LOG.info("The commit table is not spread over tablets yet: {}", e.getMessage());
    }
  }

  /** Returns the content of the entries by start timestamp; omits transactions without an entry. */
  Map<Long, Long> look(Collection<Long> starts) {
    List<RowRead> reads = new ArrayList<>(starts.size());
    starts.forEach(
        start ->
            reads.add(
                RowRead.of(CommitEntries.row(start), Selection.column(CommitEntries.COLUMN))));
    counters.trips.increment();
    counters.lookups.add(starts.size());
    Map<Long, Long> entries = new LinkedHashMap<>();
    for (RowCells row : store.read(reads)) {
      if (!row.isEmpty()) {
        entries.put(
            CommitEntries.start(row.row().key()), CommitEntries.commit(row.cells().get(0).value()));
      }
    }
    return entries;
  }

  /**
   * Invalidates transactions that have no entry, for a reader that met a tentative cell of each.
   *
   * @return the content of the entries now, without those that the store did not answer for. A
   *     forgotten entry counts as invalid: a tentative cell that is still present was not
   *     committed.
   */
  Map<Long, Long> invalidate(Collection<Long> starts) {
    Map<Long, Long> entries = end(starts);
    entries.replaceAll((start, stands) -> stands == FORGOTTEN ? INVALID : stands);
    return entries;
  }

  /** As {@link #invalidate}, for a caller that asks how a transaction ended. */
  Map<Long, Long> end(Collection<Long> starts) {
    List<DecideEntry.Request> requests = new ArrayList<>(starts.size());
    starts.forEach(start -> requests.add(new DecideEntry.Request(start, INVALID)));
    List<Outcome<Long>> outcomes = trips.execute(DecideEntry.INSTANCE, requests, durability);
    Map<Long, Long> entries = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<Long> done) {
        entries.put(requests.get(i).start(), done.result());
        if (done.result() == INVALID) {
          counters.invalidated.increment();
        }
      }
    }
    return entries;
  }

  /** Proposes the commit of a transaction: the commit point. A Done holds the decided value. */
  Outcome<Long> commit(long start, long commit) {
    return trips.execute(DecideEntry.INSTANCE, new DecideEntry.Request(start, commit), durability);
  }

  /** Removes entries that are not needed any more. The sweep removes those that are lost here. */
  void forget(List<ForgetEntry.Request> entries) {
    if (!entries.isEmpty()) {
      trips.execute(ForgetEntry.INSTANCE, entries, Durability.BUFFERED);
    }
  }

  /** All entries. */
  Map<Long, Long> all() {
    Map<Long, Long> entries = new LinkedHashMap<>();
    ScanRequest request =
        ScanRequest.of(CommitEntries.TABLE, KeyRange.ALL, Selection.column(CommitEntries.COLUMN));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        Row at = row.row();
        entries.put(
            CommitEntries.start(at.key()), CommitEntries.commit(row.cells().get(0).value()));
      }
    }
    return entries;
  }
}
