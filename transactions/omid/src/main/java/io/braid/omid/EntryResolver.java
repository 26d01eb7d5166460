package io.braid.omid;

import io.braid.core.data.Row;
import io.braid.core.runtime.RecentEntries;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.ForgetEntry;
import io.braid.omid.rows.ReadRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves the tentative cells that a reader meets (section 3.2): looks their transactions up in
 * the commit table. Invalidates those that have no entry and whose grace period is over.
 *
 * <p>Invalid means here: remaining tentative cells of the transaction are passed over. The
 * transaction may still have committed and been forgotten. Then its cells have become records, and
 * the reader finds these when it looks at the row again.
 */
final class EntryResolver {
  private static final Logger LOG = LoggerFactory.getLogger(EntryResolver.class);

  private static final int REMEMBERED = 4096;

  private final Seams seams;
  private final long graceNanos;
  private final boolean byManager;
  private final CommitTable commits;
  private final PostCommitDuty postCommit;
  private final RecentEntries<Long, Long> decided = new RecentEntries<>(REMEMBERED);
  private final RecentEntries<Long, Long> metAt = new RecentEntries<>(REMEMBERED);

  /** A tentative cell, and the row it was met in. */
  record TentativeCell(Row row, ReadRow.Tentative cell) {}

  EntryResolver(ProtocolContext around, CommitTable commits, PostCommitDuty postCommit) {
    this.seams = around.seams();
    this.graceNanos = around.options().grace().reader().toNanos();
    this.byManager = around.manager().writesEntries();
    this.commits = commits;
    this.postCommit = postCommit;
  }

  /**
   * Returns the content of the entries by start timestamp: a commit timestamp, or INVALID. Omits
   * transactions whose grace period is not over, and those that the store did not answer for.
   */
  Map<Long, Long> resolve(List<TentativeCell> met) {
    Map<Long, Long> decisions = new LinkedHashMap<>();
    Map<Long, TentativeCell> open = new LinkedHashMap<>();
    for (TentativeCell each : met) {
      Long known = decided.get(each.cell.start());
      if (known != null) {
        decisions.put(each.cell.start(), known);
      } else {
        open.putIfAbsent(each.cell.start(), each);
      }
    }
    if (!open.isEmpty()) {
      Map<Long, Long> entries = lookUp(open);
      entries.forEach(decided::put);
      decisions.putAll(entries);
      if (byManager) {
        // A transaction without an entry now has no commit at or below a snapshot that began
        // before.
        open.keySet().forEach(start -> decisions.putIfAbsent(start, CommitEntries.INVALID));
      }
    }
    cleanUp(met, decisions);
    return decisions;
  }

  private Map<Long, Long> lookUp(Map<Long, TentativeCell> open) {
    try {
      Map<Long, Long> entries = commits.look(open.keySet());
      open.keySet().removeAll(entries.keySet());
      if (byManager) {
        return entries;
      }
      open.values().removeIf(this::hasGrace);
      if (!open.isEmpty()) {
        entries.putAll(commits.invalidate(open.keySet()));
      }
      return entries;
    } catch (TabletUnavailableException e) {
      LOG.debug("The commit table cannot be asked for {} transactions.", open.size(), e);
      return Map.of();
    }
  }

  private boolean hasGrace(TentativeCell met) {
    if (!seams.liveness().isAlive(met.cell.owner())) {
      return false;
    }
    long now = seams.nanoTime();
    return now - metAt.getOrMake(met.cell.start(), start -> now) < graceNanos;
  }

  /** Queues the rows of dead owners for cleanup; live owners clean up their own. */
  private void cleanUp(List<TentativeCell> met, Map<Long, Long> decisions) {
    Set<DecidedRows> rows = new LinkedHashSet<>();
    for (TentativeCell each : met) {
      Long decision = decisions.get(each.cell.start());
      if (decision != null && !seams.liveness().isAlive(each.cell.owner())) {
        rows.add(
            new DecidedRows(
                each.cell.start(), decision, List.of(DecidedRows.WrittenRow.of(each.row)), false));
      }
    }
    rows.forEach(postCommit::add);
  }

  /** Forgets transactions that were taken for invalid, but have committed and been forgotten. */
  void forgetInvalid(Set<Long> starts) {
    List<ForgetEntry.Request> entries = new ArrayList<>(starts.size());
    starts.forEach(start -> entries.add(new ForgetEntry.Request(start, CommitEntries.INVALID)));
    commits.forget(entries);
  }
}
