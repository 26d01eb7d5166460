package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import io.braid.testkit.MemoryStore.Reach;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a {@link MemoryStore} and their clocks; guarded by the store's monitor. With the
 * reach of the store all tablets share one clock; with that of a tablet each has its own, as if it
 * were alone on its server.
 */
final class MemoryTables {
  private final MemoryOptions options;
  private final Map<String, MemoryTable> tables = new TreeMap<>();
  private final MemoryClock clock = new MemoryClock();
  private long watermark;
  private long drops;

  MemoryTables(MemoryOptions options) {
    this.options = options;
  }

  MemoryTable table(String name) {
    MemoryTable table = tables.get(name);
    if (table == null) {
      throw new UnknownTableException("There is no table " + name + "; create it first.");
    }
    return table;
  }

  MemoryTable table(Row row) {
    return table(row.table());
  }

  Optional<MemoryTable> find(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /** In the order of their names. */
  Collection<MemoryTable> all() {
    return tables.values();
  }

  /** How many tables were dropped. */
  long drops() {
    return drops;
  }

  /**
   * @param birth of a table that is created
   */
  void ensure(TableSchema schema, long birth) {
    @Nullable MemoryTable table = tables.get(schema.name());
    if (table != null) {
      table.schema = table.schema.merge(schema);
      return;
    }
    tables.put(schema.name(), new MemoryTable(schema, birth, twin(clock)));
    options.splits().apply(schema.name()).forEach(key -> split(schema.name(), key));
  }

  void drop(String name) {
    tables.remove(name);
    drops++;
  }

  void split(String name, Bytes key) {
    MemoryTable table = table(name);
    table.split(key, twin(table.clock(key)));
  }

  /** The clock does not come along; the one of the whole store has nowhere else to be. */
  void move(String name, Bytes key) {
    if (options.reach() == Reach.TABLET) {
      table(name).clock(key).reset();
    }
  }

  MemoryClock clock(Row row) {
    return table(row).clock(row.key());
  }

  void advanceClocks(long timestamp) {
    clock.advance(timestamp);
    tables.values().forEach(table -> table.clocks().forEach(each -> each.advance(timestamp)));
  }

  void resetClocks() {
    clock.reset();
    tables.values().forEach(table -> table.clocks().forEach(MemoryClock::reset));
  }

  boolean together(Collection<Row> rows) {
    rows.forEach(this::table);
    if (options.reach() == Reach.STORE || rows.isEmpty()) {
      return true;
    }
    Row first = rows.iterator().next();
    Bytes tablet = table(first).tabletStart(first.key());
    for (Row row : rows) {
      if (!row.table().equals(first.table()) || !table(row).tabletStart(row.key()).equals(tablet)) {
        return false;
      }
    }
    return true;
  }

  long watermark() {
    return watermark;
  }

  void raiseWatermark(long timestamp) {
    watermark = Math.max(watermark, timestamp);
  }

  String describe() {
    StringBuilder text = new StringBuilder().append(watermark).append(' ').append(clock);
    tables.forEach((name, table) -> table.describe(text.append('\n')));
    return text.toString();
  }

  private MemoryClock twin(MemoryClock of) {
    return options.reach() == Reach.STORE ? clock : of.twin();
  }
}
