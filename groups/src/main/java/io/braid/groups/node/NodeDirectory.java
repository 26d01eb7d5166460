package io.braid.groups.node;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.GroupException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The group nodes of a store. The store has their entries; the coordination says whether they are
 * alive. The information is as old as the last {@link #refresh}.
 *
 * <p>Each life of a node writes a version of its own, drawn from the oracle. So a late write of an
 * earlier life hides nothing.
 */
final class NodeDirectory {
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "node");
  private static final String PREFIX = "group-node/";
  private static final int ATTEMPTS = 8;

  private final CellStore store;
  private final Seams seams;
  private final Durability durability;
  private volatile List<NodeInfo> live = List.of();

  private record Entry(NodeInfo node, long version) {}

  NodeDirectory(CellStore store, Seams seams, Durability durability) {
    this.store = store;
    this.durability = durability;
    this.seams = seams;
  }

  private static Row row(String name) {
    return Row.of(Families.SYSTEM_TABLE, PREFIX + name);
  }

  /**
   * Looks whether a node may enter.
   *
   * @throws GroupException when there is one of its name, or one that speaks another network
   */
  void admit(NodeInfo node) {
    refresh();
    named(node.name())
        .ifPresent(
            twin -> {
              throw new GroupException(
                  "There is a group node '"
                      + twin.name()
                      + "' already, at "
                      + twin.address()
                      + ": choose another name, or stop it. If it has died, try again in some seconds.",
                  null);
            });
    requireSameNetwork(node);
  }

  /**
   * Nodes that cannot read each other's messages would each wait for the other's keys in vain, and
   * groups over keys of both could never be created.
   *
   * @throws GroupException when a node that is known to be alive speaks another network
   */
  void requireSameNetwork(NodeInfo node) {
    for (NodeInfo other : live) {
      if (node.isDeafTo(other)) {
        throw new GroupException(
            "Group node '"
                + other.name()
                + "' at "
                + other.address()
                + " talks to other nodes by "
                + other.network()
                + ", and '"
                + node.name()
                + "' would by "
                + node.network()
                + ": all nodes of a database use the same. Start this one with the release of the"
                + " others, or stop all others first.",
            null);
      }
    }
  }

  /**
   * Enters a node, in place of its earlier lives.
   *
   * @param version a fresh timestamp
   */
  void enter(NodeInfo node, long version) {
    List<Entry> before = all();
    write(RowWrite.put(row(node.name()), new Cell(COLUMN, version, node.encode())));
    for (Entry each : before) {
      if (each.node.name().equals(node.name()) && each.version < version) {
        remove(each);
      }
    }
    refresh();
  }

  void remove(NodeInfo node) {
    all().stream().filter(each -> each.node.equals(node)).forEach(this::remove);
  }

  private void remove(Entry entry) {
    write(RowWrite.remove(row(entry.node.name()), COLUMN, entry.version));
  }

  private void write(RowWrite write) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(5), Duration.ofMillis(500));
    for (int attempt = 1; ; attempt++) {
      Outcome<Void> outcome = store.write(List.of(write), durability).get(0);
      if (outcome instanceof Outcome.Done<Void>) {
        return;
      }
      if (attempt == ATTEMPTS || !backoff.pause()) {
        throw new TabletUnavailableException("The list of group nodes was not changed: " + outcome);
      }
    }
  }

  /** The newest life of each. */
  private List<Entry> all() {
    List<Entry> nodes = new ArrayList<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(Bytes.of(PREFIX)),
            Selection.column(COLUMN).newest(1));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        Cell cell = row.cells().get(0);
        nodes.add(new Entry(NodeInfo.decode(cell.value()), cell.version()));
      }
    }
    return nodes;
  }

  /** Reads which nodes are there now. */
  void refresh() {
    live =
        all().stream()
            .map(Entry::node)
            .filter(node -> seams.liveness().isAlive(node.token()))
            .toList();
  }

  /** The nodes that are alive, in the order of their names. */
  List<NodeInfo> live() {
    return live;
  }

  Optional<NodeInfo> named(String name) {
    return live.stream().filter(node -> node.name().equals(name)).findFirst();
  }

  Optional<NodeInfo> withToken(String token) {
    return live.stream().filter(node -> node.token().equals(token)).findFirst();
  }
}
