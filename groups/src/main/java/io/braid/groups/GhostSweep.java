package io.braid.groups;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableWalk;
import io.braid.groups.rows.GroupRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees rows that are held by groups that are gone: a join that came after the group was deleted
 * leaves such a hold, if nobody asks the row again (section 4.2, ghosts).
 *
 * <p>A record is written before the first hold of its group and goes after the last; a hold that
 * was seen before its record was found missing is a ghost's. So is one of a live group on a row
 * that is not among its members.
 */
final class GhostSweep {
  private static final Logger LOG = LoggerFactory.getLogger(GhostSweep.class);

  private final CellStore store;
  private final Records records;
  private final Holds holds;

  GhostSweep(CellStore store, Records records, Holds holds) {
    this.store = store;
    this.records = records;
    this.holds = holds;
  }

  /** Walks through all tables; how many rows it has freed. */
  int run() {
    AtomicInteger freed = new AtomicInteger();
    TableWalk.each(
        store,
        table -> {
          if (table.has(Families.INTENT)) {
            freed.addAndGet(sweep(table.name()));
          }
        });
    return freed.get();
  }

  private int sweep(String table) {
    int freed = 0;
    Map<String, Optional<GroupRecord>> known = new HashMap<>();
    Map<String, Set<Row>> members = new HashMap<>();
    ScanRequest request = ScanRequest.of(table, KeyRange.ALL, Selection.column(Families.hold()));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        Hold hold = Hold.of(Intent.decode(row.cells().get(0).value()));
        if (isGhost(row.row(), hold, known, members)) {
          LOG.info("Row {} was held by group {}, which is gone: freed.", row.row(), hold.group());
          holds.release(Set.of(row.row()), hold.number(), hold.epoch());
          freed++;
        }
      }
    }
    return freed;
  }

  private boolean isGhost(
      Row row, Hold hold, Map<String, Optional<GroupRecord>> known, Map<String, Set<Row>> members) {
    // A record that was found once may stand for holds seen later; one that was missing must not.
    Optional<GroupRecord> record = known.get(hold.group());
    if (record == null || record.filter(r -> r.number() == hold.number()).isEmpty()) {
      record = records.find(hold.group());
      known.put(hold.group(), record);
    }
    Optional<GroupRecord> same = record.filter(r -> r.number() == hold.number());
    if (same.isEmpty()) {
      return true;
    }
    return same.get().state() == GroupRecord.State.LIVE
        && !members
            .computeIfAbsent(hold.group(), name -> new HashSet<>(records.members(name)))
            .contains(row);
  }
}
