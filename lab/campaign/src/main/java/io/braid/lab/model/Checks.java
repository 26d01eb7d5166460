package io.braid.lab.model;

import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.lab.model.Model.Answer;
import io.braid.lab.model.Model.Cell;
import io.braid.lab.model.Model.Indexed;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Compares all that a reader sees with what the model says. */
final class Checks {
  private final Run run;

  Checks(Run run) {
    this.run = run;
  }

  /** Everything, as a snapshot of this process shows it. */
  void everything(Snapshot snapshot, String what) {
    tables(snapshot, what);
    run.model.tables.forEach(
        (name, table) -> {
          if (snapshot.timestamp() >= table.born) {
            table.indexes.values().forEach(index -> index(snapshot, index, what));
          }
        });
  }

  /** All tables, as any snapshot shows them. */
  void tables(Snapshot snapshot, String what) {
    run.model.tables.forEach(
        (name, table) ->
            run.does(
                what + " of " + name,
                Answer.of(snapshot.timestamp() < table.born),
                () -> table(snapshot, name, what),
                "TableReplaced"));
  }

  private void table(Snapshot snapshot, String name, String what) {
    table(snapshot, name, what, cell -> run.model.visible(cell, snapshot.timestamp()));
  }

  /** A whole table by a scan, and by reading all its rows. */
  void table(
      Snapshot reads, String name, String what, Function<Cell, Set<Optional<String>>> expected) {
    Map<Row, RowValues> scanned = new TreeMap<>();
    try (RowCursor rows = reads.scan(Scan.of(name).family("f").family("g"))) {
      while (rows.hasNext()) {
        RowValues each = rows.next();
        scanned.put(each.row(), each);
      }
    }
    Map<Row, RowValues> read = reads.getAll(Run.rows(name), Run.COLUMNS);
    for (Row row : Run.rows(name)) {
      for (var column : Run.COLUMNS) {
        Cell cell = Run.cell(row, column);
        Set<Optional<String>> may = expected.apply(cell);
        run.requireOneOf(
            what + ": scan of " + cell,
            may,
            Optional.ofNullable(scanned.get(row)).flatMap(each -> each.get(column)));
        run.requireOneOf(
            what + ": " + cell, may, Objects.requireNonNull(read.get(row)).get(column));
      }
      scanned.remove(row);
    }
    if (!scanned.isEmpty()) {
      throw run.wrong(what + " shows rows that nobody wrote: " + scanned);
    }
  }

  private void index(Snapshot snapshot, Indexed indexed, String what) {
    if (snapshot.timestamp() < indexed.since()) {
      return; // The content of the index there is undefined.
    }
    lookups(
        snapshot,
        indexed,
        what,
        row -> run.model.visible(Run.cell(row, Run.A), snapshot.timestamp()));
  }

  /** Checks that an index says exactly what the rows hold. */
  void lookups(
      Snapshot reads, Indexed indexed, String what, Function<Row, Set<Optional<String>>> holds) {
    String table = indexed.index().table();
    for (String value : Run.values()) {
      List<Row> found = run.db.indexes().find(reads, table, Run.A, value);
      Set<Row> surely = new HashSet<>();
      Set<Row> perhaps = new HashSet<>();
      for (Row row : Run.rows(table)) {
        Set<Optional<String>> may = holds.apply(row);
        if (may.contains(Optional.of(value))) {
          perhaps.add(row);
          if (may.size() == 1) {
            surely.add(row);
          }
        }
      }
      if (!found.containsAll(surely) || !perhaps.containsAll(found)) {
        throw run.wrong(
            "%s: index %s finds '%s' in %s, expected at least %s, at most %s"
                .formatted(what, indexed.index(), value, found, surely, perhaps));
      }
    }
  }
}
