package io.braid.simulation.probe;

import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.groups.leader.GroupLeader;
import io.braid.simulation.cluster.CellListener;
import io.braid.simulation.schedule.SimulationFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * At no instant is a row held by two groups, or answered for by two nodes (Faults 36 to 39). Looks
 * whenever a hold changes, and when it is asked to.
 */
public final class OwnershipWatch implements CellListener {
  private final CellListener next;
  private final CellStore store;
  private final Map<Row, Set<Long>> holds = new TreeMap<>();
  private List<Row> rows = List.of();
  private Supplier<Collection<GroupLeader>> nodes = List::of;
  private long checks;
  private long taken;

  /**
   * @param next receives every event too
   * @param store without network and faults
   */
  public OwnershipWatch(CellListener next, CellStore store) {
    this.next = next;
    this.store = store;
  }

  /**
   * @param held those that may be held
   * @param living what the nodes lead that are alive
   */
  public void watch(List<Row> held, Supplier<Collection<GroupLeader>> living) {
    rows = held;
    nodes = living;
  }

  @Override
  public void changed(List<Change> changes) {
    boolean ofHolds = false;
    for (Change change : changes) {
      if (change.column().equals(Families.hold()) && isData(change.row())) {
        ofHolds = true;
        Set<Long> held = holds.computeIfAbsent(change.row(), row -> new TreeSet<>());
        if (change.value() == null) {
          held.remove(change.version());
        } else if (held.add(change.version())) {
          taken++;
        }
        if (held.size() > 1) {
          throw new SimulationFailure("Row " + change.row() + " is held by groups " + held + ".");
        }
      }
    }
    if (ofHolds) {
      check();
    }
    next.changed(changes);
  }

  private static boolean isData(Row row) {
    return !row.table().equals(Families.SYSTEM_TABLE);
  }

  /** No two nodes answer for a row. */
  public void check() {
    checks++;
    Collection<GroupLeader> living = nodes.get();
    for (Row row : rows) {
      List<String> names = new ArrayList<>();
      for (GroupLeader each : living) {
        if (each.serves(row)) {
          names.add(each.holder(row).orElse("?"));
        }
      }
      if (names.size() > 1) {
        throw new SimulationFailure(
            "Row " + row + " has two owners: it is served in groups " + names + ".");
      }
    }
  }

  @Override
  public void lostChanges() {
    holds.clear();
    for (Row row : rows) {
      for (Cell cell : store.read(RowRead.of(row, Selection.column(Families.hold()))).cells()) {
        holds.computeIfAbsent(row, each -> new TreeSet<>()).add(cell.version());
      }
    }
    next.lostChanges();
  }

  @Override
  public void issued(long first, long last) {
    next.issued(first, last);
  }

  /** The rows that are held. */
  public List<Row> held() {
    return holds.entrySet().stream()
        .filter(each -> !each.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** How often it was looked. */
  public long checks() {
    return checks;
  }

  /** How many holds were taken. */
  public long taken() {
    return taken;
  }
}
