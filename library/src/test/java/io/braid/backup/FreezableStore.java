package io.braid.backup;

import io.braid.core.data.KeyRange;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.FrozenTables;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TabletUnavailableException;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A store in memory whose tables can be frozen, one after another, while things happen. */
final class FreezableStore extends ForwardingStore implements FrozenTables {
  /** What is copied of a table. */
  private record Held(Copy copy, TableSchema schema, long epoch, List<RowCells> rows) {}

  /** The copies of all databases. */
  static final class Cluster {
    private final Map<String, Held> copies = new TreeMap<>();
    private long number;
  }

  private final Cluster cluster;
  private Consumer<String> beforeFreeze = table -> {};
  private String mark = "";
  private long floor;
  private boolean failsThawing;

  FreezableStore(Cluster cluster) {
    super(new MemoryStore());
    this.cluster = cluster;
  }

  /** Has something done before each table is frozen. */
  void beforeFreeze(Consumer<String> doing) {
    beforeFreeze = doing;
  }

  /** The next thawing ends in its middle. */
  void failThawing() {
    failsThawing = true;
  }

  @Override
  public void freeze(String name, String table) {
    beforeFreeze.accept(table);
    Copy copy = new Copy(name, table, ++cluster.number);
    TableSchema schema = store.table(table).orElse(new TableSchema(OWN, List.of()));
    long epoch = table.equals(OWN) ? 0 : store.epoch(table);
    Held before = cluster.copies.putIfAbsent(name, new Held(copy, schema, epoch, rows(schema)));
    if (before != null) {
      throw new StoreException("There is a copy " + name + ".");
    }
  }

  private List<RowCells> rows(TableSchema schema) {
    List<RowCells> rows = new ArrayList<>();
    if (schema.families().isEmpty()) {
      return rows;
    }
    List<Selection> all =
        schema.families().stream().map(each -> Selection.family(each.name())).toList();
    try (RowScanner scanner =
        store.scan(new ScanRequest(schema.name(), KeyRange.ALL, all, 0, 1_000))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  @Override
  public List<Copy> frozen(String prefix) {
    return cluster.copies.values().stream()
        .map(Held::copy)
        .filter(each -> each.name().startsWith(prefix))
        .toList();
  }

  @Override
  public void removeFrozen(String name) {
    cluster.copies.remove(name);
  }

  @Override
  public long beginThaw(String what, long least) {
    mark = what;
    floor = Math.max(floor, least);
    return floor;
  }

  @Override
  public String thawing() {
    return mark;
  }

  @Override
  public void thaw(List<Copy> copies) {
    if (mark.isEmpty()) {
      throw new StoreException("In use.");
    }
    store.tables().forEach(each -> store.dropTable(each.name()));
    for (Copy each : copies) {
      Held held = Objects.requireNonNull(cluster.copies.get(each.name()));
      if (each.table().equals(OWN)) {
        continue;
      }
      store.ensureTable(held.schema);
      store.raiseEpoch(each.table(), held.epoch + 1);
      for (RowCells row : held.rows) {
        store.write(List.of(new RowWrite(row.row(), row.cells(), List.of())), Durability.SYNCED);
      }
      if (failsThawing) {
        failsThawing = false;
        throw new TabletUnavailableException("The process dies.");
      }
    }
  }

  @Override
  public void endThaw() {
    mark = "";
    floor = 0;
  }

  @Override
  public void close() {}
}
