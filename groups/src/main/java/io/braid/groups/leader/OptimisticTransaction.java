package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowValues;
import io.braid.groups.GroupException;
import io.braid.groups.GroupTransaction;
import io.braid.groups.log.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A transaction of a group: remembers its reads and buffers its writes (section 5.3). */
final class OptimisticTransaction implements GroupTransaction {
  private final LedGroup group;
  private final ShippingCheck shippingCheck;
  private final Admission admission;
  private final boolean isolated;
  private final ReadSet reads = new ReadSet();
  private final Map<Row, SortedMap<ColumnName, Optional<Bytes>>> writes = new TreeMap<>();
  private long bytes;
  private boolean ended;
  private boolean conflicted;

  /** Whether a group takes a commit now; asked once all of it is known. */
  interface Admission {
    /**
     * Waits, for a while, where too much waits to be shipped.
     *
     * @throws GroupException when the group takes none; nothing was written
     */
    void admit(LedGroup group, List<LogEntry.Write> writes);
  }

  /**
   * The facts of the leading process that transactions need.
   *
   * @param runAttempts how often a body is run that conflicts
   */
  record Context(
      Seams seams,
      ShippingCheck shippingCheck,
      Admission admission,
      int runAttempts,
      AtomicBoolean closed) {
    void requireOpen() {
      if (closed.get()) {
        throw new IllegalStateException("The groups are closed: open the database again.");
      }
    }
  }

  /**
   * Begins it.
   *
   * @param isolated whether the commit is refused when others changed values that were read
   * @throws IllegalStateException when the groups are closed
   */
  OptimisticTransaction(Context context, LedGroup group, boolean isolated) {
    context.requireOpen();
    group.usedAt(context.seams.nanoTime());
    this.group = group;
    this.shippingCheck = context.shippingCheck;
    this.admission = context.admission;
    this.isolated = isolated;
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    requireActive(row);
    Optional<Bytes> own = own(row).get(column.name());
    if (own != null) {
      return own.map(column.codec()::decode);
    }
    shippingCheck.requireReadable(row, column.name());
    Bytes value = guarded(() -> group.read(row, column.name(), reads));
    return Optional.ofNullable(value).map(column.codec()::decode);
  }

  @Override
  public RowValues getRow(Row row, String... wanted) {
    requireActive(row);
    SortedMap<ColumnName, Bytes> values = new TreeMap<>();
    for (String family : wanted) {
      shippingCheck.requireReadable(row, ColumnName.of(family, ""));
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
    put(row, column.name(), column.encode(value));
  }

  @Override
  public void delete(Row row, Column<?> column) {
    requireActive(row);
    put(row, column.name(), null);
  }

  private void put(Row row, ColumnName column, @Nullable Bytes value) {
    shippingCheck.require(row, column, value);
    SortedMap<ColumnName, Optional<Bytes>> own = own(row);
    Optional<Bytes> before = own.get(column);
    long replaced = before == null ? 0 : shippingCheck.bytes(row, column, before.orElse(null));
    long all = bytes - replaced + shippingCheck.bytes(row, column, value);
    shippingCheck.requireRoom(all, group.record().leader());
    bytes = all;
    own.put(column, Optional.ofNullable(value));
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
    if (!all.isEmpty()) {
      admission.admit(group, all);
    }
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
