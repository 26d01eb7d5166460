package io.braid.lab.model;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.lab.model.Model.Answer;
import io.braid.lab.model.Model.Cell;
import io.braid.lab.model.Model.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads and writes of single rows by the fast path. */
final class FastSteps {
  private static final long NEWEST = Long.MAX_VALUE - 1;

  /** A version that was read, for a write that depends on it. */
  private record Read(Row row, List<Column<String>> columns, long version, long life) {}

  /** A write under a name. */
  private record Named(
      FastSession.Request request,
      RowChange change,
      Map<Cell, Optional<String>> values,
      long version,
      long life) {}

  private final Run run;
  private final List<Read> reads = new ArrayList<>();
  private final List<Named> named = new ArrayList<>();

  FastSteps(Run run) {
    this.run = run;
  }

  void step(FastSession fast) {
    switch (run.random.nextInt(3)) {
      case 0 -> read(fast);
      case 1 -> writeIf(fast);
      default -> write(fast);
    }
  }

  private List<Column<String>> someColumns() {
    List<Column<String>> some = new ArrayList<>(Run.COLUMNS);
    some.removeIf(each -> run.chance(40));
    return some.isEmpty() ? List.of(Run.B) : some;
  }

  private void read(FastSession fast) {
    String table = run.anyTable();
    Row row = run.anyRow(table);
    List<Column<String>> columns = someColumns();
    boolean there = run.model.life(table) != 0;
    run.does(
        "fast read of " + row + " " + columns,
        Answer.of(!there),
        () -> {
          FastSession.Versioned<RowValues> read = fast.readVersion(row, columns);
          for (Column<String> column : columns) {
            run.requireOneOf(
                "fast read of " + Run.cell(row, column),
                run.model.visible(Run.cell(row, column), NEWEST),
                read.value().get(column));
          }
          reads.add(new Read(row, columns, read.version(), run.model.life(table)));
        },
        "UnknownTable",
        "IllegalArgument",
        "TableReplaced");
  }

  /**
   * Returns whether any write of a row is refused. An observed column requires a regular
   * transaction. The fast path runs one only where an index requires it too.
   */
  private Answer refuses(Row row, Set<Cell> cells) {
    Optional<Model.Table> table = run.model.table(row.table());
    boolean observed =
        run.model.observed.contains(row.table()) && cells.contains(Run.cell(row, Run.B));
    if (table.isEmpty()
        || run.model.groupOf(row).isPresent()
        || (observed && !isIndexed(row.table()))) {
      return Answer.YES;
    }
    return run.model.isUnique(row.table()) ? Answer.MAYBE : Answer.NO;
  }

  private boolean isIndexed(String table) {
    return run.model.table(table).map(each -> !each.indexes.isEmpty()).orElse(false);
  }

  /** A named write never becomes a regular transaction. */
  private Answer refusesNamed(Row row, Set<Cell> cells) {
    return isIndexed(row.table()) ? Answer.YES : refuses(row, cells);
  }

  private static RowChange change(Row row, Map<Cell, Optional<String>> values) {
    RowChange change = RowChange.of(row);
    for (Map.Entry<Cell, Optional<String>> each : values.entrySet()) {
      Column<String> column = Run.column(each.getKey());
      change =
          each.getValue().isPresent()
              ? change.set(column, each.getValue().get())
              : change.delete(column);
    }
    return change;
  }

  private Map<Cell, Optional<String>> values(Row row, List<Column<String>> columns) {
    Map<Cell, Optional<String>> values = new LinkedHashMap<>();
    columns.forEach(column -> values.put(Run.cell(row, column), run.anyValue(column)));
    return values;
  }

  private void written(Map<Cell, Optional<String>> values, long version) {
    run.say("  at " + version);
    values.forEach((cell, value) -> run.model.write(cell, new Version(version, version, value)));
  }

  private void write(FastSession fast) {
    Row row = run.anyRow(run.anyTable());
    Map<Cell, Optional<String>> values = values(row, someColumns());
    long[] version = new long[1];
    boolean done =
        run.does(
            "fast write of " + Run.brief(values),
            refuses(row, values.keySet()),
            () -> version[0] = fast.write(change(row, values)),
            "UnknownTable",
            "IllegalArgument",
            "KeyHeldByGroup",
            "DuplicateValue",
            "Conflict");
    if (done) {
      written(values, version[0]);
    }
  }

  private void writeIf(FastSession fast) {
    if (reads.isEmpty()) {
      return;
    }
    Read read = run.any(reads);
    Map<Cell, Optional<String>> values = values(read.row(), read.columns());
    Answer refused = refuses(read.row(), values.keySet());
    // 0 means that nothing was ever written, in any table of this name.
    if (read.version() != 0 && run.model.life(read.row().table()) != read.life()) {
      refused = Answer.YES;
    }
    if (refused != Answer.YES) {
      for (Cell cell : values.keySet()) {
        Answer changed = run.model.changedSince(cell, read.version());
        boolean forgotten = run.collected > read.version() && run.model.newest(cell).isEmpty();
        refused = refused.or(forgotten && changed == Answer.YES ? Answer.MAYBE : changed);
      }
      if (run.model.joined.getOrDefault(read.row(), 0L) > read.version()) {
        refused = refused.or(Answer.MAYBE);
      }
    }
    long[] version = new long[1];
    boolean done =
        run.does(
            "fast write of " + Run.brief(values) + " if not above " + read.version(),
            refused,
            () -> version[0] = fast.writeIf(read.version(), change(read.row(), values)),
            "UnknownTable",
            "IllegalArgument",
            "KeyHeldByGroup",
            "Conflict",
            "TableReplaced");
    if (done) {
      written(values, version[0]);
    }
  }

  /** A new one, or an earlier one again: it is not done twice. */
  void named(FastSession fast) {
    if (!named.isEmpty() && run.chance(40)) {
      repeat(fast, run.any(named));
      return;
    }
    Row row = run.anyRow(run.anyTable());
    Map<Cell, Optional<String>> values = values(row, someColumns());
    long[] version = new long[1];
    FastSession.Request request = fast.request();
    boolean done =
        run.does(
            "write " + request + " of " + Run.brief(values),
            refusesNamed(row, values.keySet()),
            () -> version[0] = fast.write(request, change(row, values)),
            "UnknownTable",
            "IllegalArgument",
            "KeyHeldByGroup");
    if (done) {
      written(values, version[0]);
      long life = run.model.life(row.table());
      named.add(new Named(request, change(row, values), values, version[0], life));
    }
  }

  private void repeat(FastSession fast, Named before) {
    Row row = before.change().row();
    Answer refused = refusesNamed(row, before.values().keySet());
    if (run.model.life(row.table()) != before.life()) {
      refused = Answer.YES;
    } else if (refused == Answer.YES || run.collected > before.version()) {
      refused = Answer.MAYBE;
    }
    run.does(
        "write " + before.request() + " again",
        refused,
        () -> {
          long version = fast.write(before.request(), before.change());
          if (version != before.version()) {
            throw run.wrong(
                "Write " + before + " was done again, at " + version + " and " + before.version());
          }
        },
        "UnknownTable",
        "IllegalArgument",
        "KeyHeldByGroup",
        "TableReplaced",
        "TransactionExpired",
        "CommitOutcomeUnknown");
  }
}
