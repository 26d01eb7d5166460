package io.braid.backup;

import io.braid.Braid;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableWalk;
import io.braid.core.store.Veils.Veil;
import io.braid.indexes.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state that is not in versions of cells, and so cannot be brought back to a timestamp: the
 * tables with their epochs, protocols, indexes and loads. A backup by frozen copies is good if none
 * of this state has changed from before its timestamp until all copies were made.
 */
record TableInventory(Map<TableSchema, Long> tables, List<Cell> definitions, List<String> veils) {
  private static final List<String> DEFINITIONS = List.of("table/", "index/", "load/", "engine/");

  static TableInventory of(CellStore store) {
    Map<TableSchema, Long> tables = new TreeMap<>((a, b) -> a.name().compareTo(b.name()));
    List<String> veils = new ArrayList<>();
    TableWalk.each(
        store,
        schema -> {
          long epoch = store.epoch(schema.name());
          for (Veil each : store.veils(schema.name()).all()) {
            veils.add(schema.name() + " " + each);
          }
          tables.put(schema, epoch);
        });
    List<Cell> definitions = new ArrayList<>();
    for (String prefix : DEFINITIONS) {
      rows(store, prefix).forEach(row -> definitions.addAll(row.cells()));
    }
    return new TableInventory(tables, definitions, veils);
  }

  private static List<RowCells> rows(CellStore store, String prefix) {
    List<RowCells> rows = new ArrayList<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(Bytes.of(prefix)),
            Selection.family(Families.SYSTEM));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static String name(RowCells row, String prefix) {
    return row.row().key().slice(prefix.length()).toUtf8();
  }

  /**
   * Refuses a database where work is under way that is not in versions of cells.
   *
   * @throws BraidException {@code BACKUP} when there is such work
   */
  static void requireQuiet(Braid db) {
    CellStore store = db.store();
    for (Index each : db.indexes().all()) {
      if (!each.ready()) {
        throw busy("Index " + each.name() + " is being built or dropped");
      }
    }
    for (RowCells row : rows(store, "table/")) {
      if (row.cells().stream().anyMatch(cell -> cell.value().toUtf8().contains(">"))) {
        throw busy("Table " + name(row, "table/") + " changes its protocol");
      }
    }
    for (RowCells row : rows(store, "load/")) {
      LoadState state = LoadDecisions.look(store, name(row, "load/"));
      if (state == null || !state.decided()) {
        throw busy("An atomic load is under way ('braid job list')");
      }
    }
    if (!rows(store, "engine/").isEmpty()) {
      throw busy("A load from Spark or MapReduce is under way, or was broken off");
    }
    TableWalk.each(
        store,
        schema -> {
          if (store.veils(schema.name()).all().stream().anyMatch(Veil::isDown)) {
            throw busy("A load by snapshot files is under way in table " + schema.name());
          }
        });
  }

  private static BraidException busy(String why) {
    return new BraidException(ErrorCode.BACKUP, why + ": make the backup when that has ended.");
  }
}
