package io.braid.lab.model;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.indexes.Index;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The content of a database, and what a reader may see of it: sorted maps of versions, nothing
 * else.
 *
 * <p>A version is visible from some timestamp on. For most writes the call that makes them returns
 * this timestamp. The acknowledged writes of a group and the writes of a load come to the store at
 * an unknown moment. The moment lies between two known timestamps. A reader between them may see
 * the version or not.
 */
final class Model {
  /** A cell of a table. */
  record Cell(Row row, ColumnName column) {}

  /**
   * A value that was written, empty when deleted.
   *
   * @param from no reader below sees it
   * @param to every reader from here on does; {@link Long#MAX_VALUE}: not yet known
   */
  record Version(long from, long to, Optional<String> value) {}

  /** A table, from one creation to the next drop. */
  static final class Table {
    final long life;
    final long born; // no reader below sees it
    Protocol protocol;
    long fence; // transactions that began before cannot write it
    long epoch; // transactions that began before may be refused
    long changesSince; // 0: its changes are not kept
    long observedSince; // 0: not observed
    final TreeMap<String, Indexed> indexes = new TreeMap<>();
    final Map<Cell, List<Version>> cells = new HashMap<>();
    final Map<Cell, Long> locked = new HashMap<>(); // until when a commit has locked it

    Table(long life, long born, Protocol protocol) {
      this.life = life;
      this.born = born;
      this.protocol = protocol;
    }
  }

  /** An index, and from when on it may be asked. */
  record Indexed(Index index, long since) {}

  /** A live key group, with its acknowledged writes that are not known to be in the store. */
  static final class Members {
    final Set<Row> rows;
    final Map<Cell, List<Version>> pending = new LinkedHashMap<>();

    Members(Set<Row> rows) {
      this.rows = rows;
    }
  }

  final TreeMap<String, Table> tables = new TreeMap<>();
  final TreeMap<String, Members> groups = new TreeMap<>();
  final Map<Row, Long> joined = new HashMap<>(); // when a group last took it or let it go
  final Set<String> observed = new HashSet<>(); // tables that have an observer, or had
  private long lives;

  Table create(String name, Protocol protocol, long now) {
    Table table = new Table(++lives, now, protocol);
    tables.put(name, table);
    return table;
  }

  Optional<Table> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /** A table that is there. */
  Table there(String name) {
    return Objects.requireNonNull(tables.get(name), name);
  }

  /** A group that is there. */
  Members members(String group) {
    return Objects.requireNonNull(groups.get(group), group);
  }

  /** Whether a table has an index that allows each value once. */
  boolean isUnique(String table) {
    return there(table).indexes.values().stream()
        .anyMatch(each -> each.index().kind() == Index.Kind.UNIQUE);
  }

  /** The life of a table: which one of those of its name; 0 when there is none now. */
  long life(String name) {
    return table(name).map(each -> each.life).orElse(0L);
  }

  Optional<Members> groupOf(Row row) {
    return groups.values().stream().filter(each -> each.rows.contains(row)).findFirst();
  }

  boolean hasGroups(String table) {
    return groups.values().stream()
        .anyMatch(each -> each.rows.stream().anyMatch(row -> row.table().equals(table)));
  }

  void write(Cell cell, Version version) {
    there(cell.row().table()).cells.computeIfAbsent(cell, key -> new ArrayList<>()).add(version);
  }

  /** All that was written to a cell, in order; of groups too. */
  List<Version> versions(Cell cell) {
    List<Version> all = new ArrayList<>();
    table(cell.row().table()).ifPresent(t -> all.addAll(t.cells.getOrDefault(cell, List.of())));
    groupOf(cell.row()).ifPresent(g -> all.addAll(g.pending.getOrDefault(cell, List.of())));
    return all;
  }

  /** Returns what a reader at a timestamp may see in a cell: one value, if that is certain. */
  Set<Optional<String>> visible(Cell cell, long at) {
    Set<Optional<String>> seen = new HashSet<>();
    seen.add(Optional.empty());
    for (Version each : versions(cell)) {
      if (each.to <= at) {
        seen.clear();
      }
      if (each.from <= at) {
        seen.add(each.value);
      }
    }
    return seen;
  }

  /** Returns the newest value: inside its group, if the cell is in one. */
  Optional<String> newest(Cell cell) {
    List<Version> all = versions(cell);
    return all.isEmpty() ? Optional.empty() : all.get(all.size() - 1).value;
  }

  /** Everything of a group is in the store by now. */
  void shipped(Members group, long now) {
    group.pending.forEach(
        (cell, versions) -> versions.forEach(v -> write(cell, new Version(v.from, now, v.value))));
    group.pending.clear();
  }

  /** Whether a cell has changed since a timestamp, or was locked: surely, perhaps, or not. */
  Answer changedSince(Cell cell, long start) {
    Long lock = there(cell.row().table()).locked.get(cell);
    boolean perhaps = false;
    boolean surely = lock != null && lock > start;
    for (Version each : versions(cell)) {
      surely |= each.from > start;
      perhaps |= each.to > start;
    }
    return surely ? Answer.YES : perhaps ? Answer.MAYBE : Answer.NO;
  }

  /** All cells of a table that have ever been written. */
  Set<Cell> cells(String table) {
    Set<Cell> all = new HashSet<>(there(table).cells.keySet());
    groups.values().forEach(group -> all.addAll(group.pending.keySet()));
    all.removeIf(cell -> !cell.row().table().equals(table));
    return all;
  }

  /** The expected answer to a question. */
  enum Answer {
    YES,
    MAYBE,
    NO;

    Answer or(Answer other) {
      return this == YES || other == YES ? YES : this == MAYBE || other == MAYBE ? MAYBE : NO;
    }

    static Answer of(boolean sure) {
      return sure ? YES : NO;
    }
  }
}
