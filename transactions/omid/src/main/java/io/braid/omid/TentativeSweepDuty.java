package io.braid.omid;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Duty;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableWalk;
import io.braid.core.time.Timestamp;
import io.braid.omid.rows.ForgetEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Cleans up after dead clients and lost calls: removes tentative cells on rows that have no
 * readers, and entries that remain in the commit table.
 *
 * <p>An entry is removed only under two conditions. A whole sweep that began after the entry was
 * written has dealt with every tentative cell of its transaction. And the transaction began below
 * the low watermark: then none of its late calls can place a tentative cell or an entry.
 */
final class TentativeSweepDuty implements AutoCloseable {
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(20);
  private static final int BATCH = 256;

  private final ProtocolContext around;
  private final CommitTable commits;
  private final PostCommitDuty postCommit;
  private final Duty duty;
  private volatile boolean closed;

  TentativeSweepDuty(ProtocolContext around, CommitTable commits, PostCommitDuty postCommit) {
    this.around = around;
    this.commits = commits;
    this.postCommit = postCommit;
    this.duty =
        Duty.start(
            around.seams(),
            "braid-omid-sweep",
            around.options().duties().sweepInterval(),
            this::sweep);
  }

  /**
   * The start timestamps below which there is no transaction to wait for.
   *
   * @param own for transactions of this process
   * @param all for transactions of any process: they are refused where they would commit
   */
  private record EndBounds(long own, long all) {}

  /** Sweeps once over all tables. */
  boolean sweep() {
    EndBounds ended = new EndBounds(around.manager().lowWatermark(), around.store().watermark());
    Map<Long, Long> entries = commits.all();
    Set<String> unclean = new HashSet<>();
    TableWalk.each(
        around.store(),
        schema -> {
          if (schema.has(Families.INTENT) && !stopped() && !sweep(schema.name(), ended)) {
            unclean.add(schema.name());
          }
        });
    if (unclean.isEmpty() && !stopped()) {
      forget(entries, Math.min(ended.own, ended.all));
    }
    return false;
  }

  /** Decides and deals with every tentative cell of a table, whether or not its owner is alive. */
  boolean settle(String table) {
    return sweep(table, new EndBounds(Timestamp.MAX, Timestamp.MAX));
  }

  /** Whether every tentative cell of transactions that have ended was dealt with. */
  private boolean sweep(String table, EndBounds ended) {
    boolean clean = true;
    Map<Long, Set<Row>> rows = new LinkedHashMap<>();
    try (RowScanner scanner =
        around
            .store()
            .scan(ScanRequest.of(table, KeyRange.ALL, Selection.family(Families.INTENT)))) {
      for (RowCells row = scanner.next(); row != null && !stopped(); row = scanner.next()) {
        collect(row, ended, rows);
        if (rows.size() >= BATCH) {
          clean &= settle(rows);
          rows.clear();
          around.seams().sleep(BETWEEN_BATCHES);
        }
      }
    }
    return settle(rows) && clean;
  }

  private void collect(RowCells row, EndBounds ended, Map<Long, Set<Row>> rows) {
    long old = around.seams().wallMillis() - around.options().grace().sweep().toMillis();
    String token = around.seams().liveness().token();
    for (Cell cell : row.cells()) {
      if (cell.column().qualifier().isEmpty()) {
        continue;
      }
      Intent intent = Intent.decode(cell.value());
      boolean ours = intent.undecided() && intent.decision() instanceof CommitEntry;
      boolean due =
          cell.version() < ended.all
              || (cell.version() < ended.own && intent.owner().equals(token))
              || intent.wallMillis() < old
              || !around.seams().liveness().isAlive(intent.owner());
      if (ours && due) {
        rows.computeIfAbsent(cell.version(), start -> new LinkedHashSet<>()).add(row.row());
      }
    }
  }

  /** Decides these transactions and deals with their rows; returns whether all of that worked. */
  private boolean settle(Map<Long, Set<Row>> rows) {
    if (rows.isEmpty()) {
      return true;
    }
    Map<Long, Long> entries = commits.look(rows.keySet());
    Set<Long> open = new LinkedHashSet<>(rows.keySet());
    open.removeAll(entries.keySet());
    if (!open.isEmpty()) {
      entries.putAll(commits.invalidate(open));
    }
    List<DecidedRows> decided = new ArrayList<>();
    rows.forEach(
        (start, at) -> {
          Long entry = entries.get(start);
          if (entry != null) {
            List<DecidedRows.WrittenRow> written =
                at.stream().map(DecidedRows.WrittenRow::of).toList();
            decided.add(new DecidedRows(start, entry, written, false));
          }
        });
    return postCommit.work(decided) && decided.size() == rows.size();
  }

  private void forget(Map<Long, Long> entries, long below) {
    List<ForgetEntry.Request> forgotten = new ArrayList<>();
    entries.forEach(
        (start, commit) -> {
          if (start < below) {
            forgotten.add(new ForgetEntry.Request(start, commit));
          }
        });
    commits.forget(forgotten);
  }

  private boolean stopped() {
    return closed || Backoff.interrupted();
  }

  @Override
  public void close() {
    closed = true;
    duty.close();
  }
}
