package io.braid.groups;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowValues;
import io.braid.groups.log.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A transaction of a group: remembers what it reads, buffers what it writes (section 5.3). */
final class OptimisticTransaction implements GroupTransaction {
  private final LiveGroup group;
  private final MemberFamilies families;
  private final boolean isolated;
  private final ReadSet reads = new ReadSet();
  private final Map<Row, SortedMap<ColumnName, Optional<Bytes>>> writes = new TreeMap<>();
  private boolean ended;
  private boolean conflicted;

  /** Checks that a member's table has a family, and how large values may be. */
  interface MemberFamilies {
    void check(Row row, ColumnName column, @Nullable Bytes value);
  }

  /**
   * @param isolated whether the commit is refused when others changed what was read
   */
  OptimisticTransaction(LiveGroup group, MemberFamilies families, boolean isolated) {
    this.group = group;
    this.families = families;
    this.isolated = isolated;
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    requireActive(row);
    Optional<Bytes> own = own(row).get(column.name());
    if (own != null) {
      return own.map(column.codec()::decode);
    }
    families.check(row, column.name(), null);
    Bytes value = guarded(() -> group.read(row, column.name(), reads));
    return Optional.ofNullable(value).map(column.codec()::decode);
  }

  @Override
  public RowValues getRow(Row row, String... wanted) {
    requireActive(row);
    SortedMap<ColumnName, Bytes> values = new TreeMap<>();
    for (String family : wanted) {
      families.check(row, ColumnName.of(family, ""), null);
      Map<ColumnName, Bytes> found =
          Objects.requireNonNull(guarded(() -> group.readFamily(row, family, reads)));
      values.putAll(found);
      own(row)
          .forEach(
              (column, value) -> {
                if (column.family().equals(family)) {
                  value.ifPresentOrElse(v -> values.put(column, v), () -> values.remove(column));
                }
              });
    }
    return new RowValues(row, values);
  }

  private interface Read<R> {
    @Nullable R read();
  }

  private <R> @Nullable R guarded(Read<R> read) {
    try {
      return read.read();
    } catch (ConflictException e) {
      ended = true;
      conflicted = true;
      throw e;
    }
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    requireActive(row);
    ColumnRules.check(row.table(), column.name());
    Bytes bytes = column.encode(value);
    families.check(row, column.name(), bytes);
    own(row).put(column.name(), Optional.of(bytes));
  }

  @Override
  public void delete(Row row, Column<?> column) {
    requireActive(row);
    ColumnRules.check(row.table(), column.name());
    families.check(row, column.name(), null);
    own(row).put(column.name(), Optional.empty());
  }

  private SortedMap<ColumnName, Optional<Bytes>> own(Row row) {
    return writes.computeIfAbsent(row, r -> new TreeMap<>());
  }

  private void requireActive(Row row) {
    if (ended) {
      throw new IllegalStateException("This transaction has ended: begin another.");
    }
    group.requireMember(row);
  }

  @Override
  public long commit() {
    if (ended) {
      throw new IllegalStateException("This transaction has ended: begin another.");
    }
    ended = true;
    List<LogEntry.Write> all = new ArrayList<>();
    writes.forEach(
        (row, columns) ->
            columns.forEach(
                (column, value) -> all.add(new LogEntry.Write(row, column, value.orElse(null)))));
    try {
      return group.commit(isolated ? reads : new ReadSet(), all);
    } catch (ConflictException e) {
      conflicted = true;
      throw e;
    }
  }

  @Override
  public boolean isActive() {
    return !ended;
  }

  @Override
  public boolean hasConflicted() {
    return conflicted;
  }

  @Override
  public void rollback() {
    ended = true;
  }

  @Override
  public void close() {
    rollback();
  }
}
