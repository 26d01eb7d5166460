package io.braid.batch.snapshot;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Notification;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.SortedFileWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes records, which come in the order of their keys, into sorted files of the store: commit
 * records, large values and notifications, all at the version of the veil.
 */
final class SortedCells implements AutoCloseable {
  private static final long FILE_BYTES = 64L << 20;

  private final CellStore store;
  private final String table;
  private final long version;
  private final Path prefix;
  private final Map<String, SortedFileWriter> open = new TreeMap<>();
  private final Map<String, Long> sizes = new TreeMap<>();
  private final Map<String, List<Path>> files = new LinkedHashMap<>();
  private int number;

  /**
   * @param prefix the beginning of the names of the files
   */
  SortedCells(CellStore store, String table, long version, Path prefix) {
    this.store = store;
    this.table = table;
    this.version = version;
    this.prefix = prefix;
  }

  void add(SnapshotRecord record) {
    List<CellWrite> cells = record.decodeCells();
    if (cells.size() > 1) {
      cells.sort(Comparator.comparing(CellWrite::column));
    }
    List<ColumnName> observed = new ArrayList<>(0);
    for (CellWrite cell : cells) {
      ColumnName column = cell.column();
      if (cell.isLarge()) {
        put(record.key(), Families.large(column), cell.value());
      }
      put(record.key(), column, cell.record(version).encode(version));
      if (cell.observed()) {
        observed.add(column);
      }
    }
    notify(record.key(), observed);
    roll();
  }

  private void notify(Bytes key, List<ColumnName> observed) {
    Map<ColumnName, Bytes> notifications = new TreeMap<>();
    Row row = new Row(table, key);
    for (ColumnName column : observed) {
      notifications.put(
          Families.notification(column),
          new Notification(Notification.Kind.STRONG, new PrimaryCell(row, column)).encode());
    }
    notifications.forEach((column, value) -> put(key, column, value));
  }

  private void put(Bytes key, ColumnName column, Bytes value) {
    SortedFileWriter writer = open.get(column.family());
    if (writer == null) {
      Path file = Path.of(prefix + "-" + number++ + ".cells");
      writer = store.sortedFile(table, column.family(), file);
      open.put(column.family(), writer);
      files.computeIfAbsent(column.family(), family -> new ArrayList<>()).add(file);
    }
    writer.put(key, column.qualifier(), version, value);
    sizes.merge(column.family(), (long) key.length() + value.length() + 16, Long::sum);
  }

  /** Begins another file where one has become large; at the end of a row. */
  private void roll() {
    sizes
        .entrySet()
        .removeIf(
            size -> {
              boolean full = size.getValue() >= FILE_BYTES;
              if (full) {
                finish(size.getKey());
              }
              return full;
            });
  }

  private void finish(String family) {
    try (SortedFileWriter writer = java.util.Objects.requireNonNull(open.remove(family))) {
      writer.finish();
    }
  }

  /** Ends all files; those of each family. */
  Map<String, List<Path>> finish() {
    List.copyOf(open.keySet()).forEach(this::finish);
    return files;
  }

  /** Removes unfinished files. */
  @Override
  public void close() {
    open.values().forEach(SortedFileWriter::close);
  }
}
