package io.braid.groups.leader;

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
import io.braid.groups.rows.GroupState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees rows that are held by groups that are gone. A join that came after the deletion of its
 * group leaves such a hold, if no request reaches the row again (section 4.2, ghosts).
 *
 * <p>A group's record is written before its first hold and removed after its last. So a hold is a
 * ghost's if it was seen before its record was found missing. A hold of a live group on a row that
 * is not among its members is also a ghost's.
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
    // A record that was found once may serve for holds seen later; a missing one must be read
    // again.
    Optional<GroupRecord> record = known.get(hold.group());
    if (record == null || record.filter(r -> r.number() == hold.number()).isEmpty()) {
      record = records.find(hold.group());
      known.put(hold.group(), record);
    }
    Optional<GroupRecord> same = record.filter(r -> r.number() == hold.number());
    if (same.isEmpty()) {
      return true;
    }
    return same.get().state() == GroupState.LIVE
        && !members
            .computeIfAbsent(hold.group(), name -> new HashSet<>(records.members(name)))
            .contains(row);
  }
}
