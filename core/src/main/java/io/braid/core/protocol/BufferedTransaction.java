package io.braid.core.protocol;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.TableReplacedException;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The common part of transactions of every protocol: a snapshot, and the writes that are buffered
 * over it until they are committed. A protocol adds its commit, and the resources that end with the
 * transaction.
 */
public abstract class BufferedTransaction implements Transaction, ConflictingTransaction {
  private final TableCatalog catalog;
  private final Map<String, TableCatalog.Table> tables;
  private final WriteBuffer writes;
  // Null until there is a checkpoint, or a read that needs to know of them. Published before the
  // first checkpoint walks over the writes: so it meets each write whose thread still saw null.
  private volatile @Nullable CheckpointedWrites checkpoints;
  private volatile State state = State.ACTIVE;
  private @Nullable TransactionId id;

  /** How far it has come. */
  protected enum State {
    ACTIVE("is active"),
    COMMITTED("has committed"),
    CONFLICTED("was rolled back by a conflict"),
    ENDED("has ended");

    private final String text;

    State(String text) {
      this.text = text;
    }
  }

  /**
   * @param tables the tables as known when the transaction began
   */
  protected BufferedTransaction(
      TableCatalog catalog, Map<String, TableCatalog.Table> tables, WriteBuffer writes) {
    this.catalog = catalog;
    this.tables = tables;
    this.writes = writes;
  }

  /** Returns the snapshot that the transaction reads beneath its own writes. */
  protected abstract ProtocolSnapshot reads();

  /** Whether it has lived for longer than it may. */
  protected abstract boolean isExpired();

  /** For how long it may live. */
  protected abstract Duration maxAge();

  /** Commits the writes. The transaction has ended afterwards, whatever the outcome. */
  protected abstract long commitWrites();

  /** Releases the resources of the transaction; called after its end, whatever the outcome. */
  protected abstract void release();

  /** Called after each write into the buffer. */
  protected void buffered() {}

  /** Ends it without a commit. */
  protected void giveUp(State end) {
    end(end);
  }

  /** Returns all writes to commit: the newest of each cell. */
  protected final WriteBuffer writes() {
    return writes;
  }

  /** Returns the own writes that are read at the present level. */
  private WriteBuffer readable() {
    CheckpointedWrites used = checkpoints;
    return used == null ? writes : used.readable();
  }

  private synchronized CheckpointedWrites checkpoints() {
    CheckpointedWrites used = checkpoints;
    if (used == null) {
      used = new CheckpointedWrites(writes);
      checkpoints = used;
    }
    return used;
  }

  /** Whether there was a checkpoint. */
  protected final boolean hasCheckpoints() {
    CheckpointedWrites used = checkpoints;
    return used != null && used.hasCheckpoints();
  }

  @Override
  public final long timestamp() {
    return reads().timestamp();
  }

  @Override
  public final <T> Optional<T> get(Row row, Column<T> column) {
    requireActive();
    CellWrite own = readable().at(row, column.name());
    if (own == null || own.kind() == Intent.Kind.LOCK) {
      return committed(row, column);
    }
    return own.kind() == Intent.Kind.DELETE
        ? Optional.empty()
        : Optional.of(column.codec().decode(own.value()));
  }

  /** Returns the value of a cell as committed by others. */
  protected <T> Optional<T> committed(Row row, Column<T> column) {
    return reads().get(row, column);
  }

  @Override
  public final Map<Row, RowValues> getAll(
      Collection<Row> rows, Collection<? extends Column<?>> columns) {
    requireActive();
    List<ColumnName> names = ProtocolSnapshot.names(columns);
    Map<Row, List<ColumnName>> wanted = new LinkedHashMap<>();
    for (Row row : rows) {
      wanted.put(row, notWritten(row, names));
    }
    Map<Row, RowValues> all = new LinkedHashMap<>();
    reads()
        .getAll(wanted)
        .forEach(
            (row, values) -> {
              for (ColumnName name : names) {
                CellWrite own = readable().at(row, name);
                if (own != null) {
                  MergedCursor.overlay(values, own);
                }
              }
              all.put(row, new RowValues(row, values));
            });
    return all;
  }

  private List<ColumnName> notWritten(Row row, List<ColumnName> names) {
    if (readable().at(row).isEmpty()) {
      return names;
    }
    List<ColumnName> rest = new ArrayList<>(names.size());
    for (ColumnName name : names) {
      CellWrite own = readable().at(row, name);
      if (own == null || own.kind() == Intent.Kind.LOCK) {
        rest.add(name);
      }
    }
    return rest;
  }

  @Override
  public final RowValues getRow(Row row, String... families) {
    requireActive();
    RowValues committed = reads().getRow(row, families);
    SortedMap<ColumnName, CellWrite> own = readable().at(row);
    if (own.isEmpty()) {
      return committed;
    }
    SortedMap<ColumnName, Bytes> values = new TreeMap<>(committed.values());
    List<String> wanted = List.of(families);
    own.forEach(
        (column, write) -> {
          if (wanted.contains(column.family())) {
            MergedCursor.overlay(values, write);
          }
        });
    return new RowValues(row, values);
  }

  @Override
  public RowCursor scan(Scan scan) {
    requireActive();
    return merged(scan);
  }

  /** Opens a scan of the committed values, with the transaction's own writes in their places. */
  protected final RowCursor merged(Scan scan) {
    return new MergedCursor(reads().scan(scan.limit(Long.MAX_VALUE)), readable(), scan);
  }

  @Override
  public final <T> void set(Row row, Column<T> column, T value) {
    check(row, column);
    writes.set(row, column.name(), column.encode(value));
    wrote(row, column);
  }

  @Override
  public final void delete(Row row, Column<?> column) {
    check(row, column);
    writes.delete(row, column.name());
    wrote(row, column);
  }

  @Override
  public final void lock(Row row, Column<?> column) {
    check(row, column);
    writes.lock(row, column.name());
    wrote(row, column);
  }

  private void wrote(Row row, Column<?> column) {
    CheckpointedWrites used = checkpoints;
    if (used != null) {
      used.wrote(row, column.name());
    }
    buffered();
  }

  /** Refuses a write of a cell that transactions cannot write. */
  protected final void check(Row row, Column<?> column) {
    requireActive();
    ColumnRules.check(row.table(), column.name());
    String family = column.name().family();
    TableCatalog.Table known = tables.get(row.table());
    if (known == null || !known.families().contains(family)) {
      catalog.require(row.table(), family);
    }
  }

  @Override
  public int checkpoint() {
    requireActive();
    return checkpoints().checkpoint();
  }

  @Override
  public final void readLevel(ReadLevel level) {
    requireActive();
    if (checkpoints != null || level != ReadLevel.SNAPSHOT) {
      checkpoints().level(level);
    }
  }

  @Override
  public final <T> List<Optional<T>> versions(Row row, Column<T> column) {
    requireActive();
    return checkpoints().versions(row, column, committed(row, column));
  }

  @Override
  public boolean hasWrites() {
    return !writes.isEmpty();
  }

  /**
   * Returns the epoch of a table at the begin of the transaction. An epoch that is learnt later
   * could hide a change since the begin. The exceptions are the epoch with which the table was
   * created, and one that the oracle gave out before the begin. Some changes count on from the
   * epoch before, and so show in its local bits.
   */
  protected final long epochOf(String table) {
    TableCatalog.Table known = tables.get(table);
    if (known != null) {
      return known.epoch();
    }
    TableCatalog.Table now = catalog.known(table);
    if (now.birth() > timestamp()) {
      throw new TableReplacedException(table, now.birth());
    }
    boolean earlier = Timestamp.local(now.epoch()) == 0 && now.epoch() <= timestamp();
    if (now.epoch() != now.birth() && !earlier) {
      throw new ConflictException(newEpoch(table, now.epoch()));
    }
    return now.epoch();
  }

  private List<Conflict> newEpoch(String table, long epoch) {
    List<Conflict> conflicts = new ArrayList<>();
    writes.forEachCell(
        (row, column) -> {
          if (row.table().equals(table)) {
            conflicts.add(new Conflict(row, column, Cause.NEW_EPOCH, epoch));
          }
        });
    return conflicts;
  }

  @Override
  public final void rollback() {
    if (isActive()) {
      giveUp(State.ENDED);
    }
  }

  /** Sets the id of the transaction from now on. */
  protected final void named(TransactionId name) {
    id = name;
  }

  @Override
  public final Optional<TransactionId> id() {
    return Optional.ofNullable(id);
  }

  @Override
  public final void close() {
    rollback();
  }

  /** An interrupt from before the commit asks to end the thread, not this: it is kept for later. */
  @Override
  public final long commit() {
    requireActive();
    if (!hasWrites()) {
      end(State.COMMITTED);
      return timestamp();
    }
    boolean interrupted = Thread.interrupted();
    try {
      return commitWrites();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public final boolean hasConflicted() {
    return state == State.CONFLICTED;
  }

  /** Whether it can still be read, written and committed. */
  public final boolean isActive() {
    return state == State.ACTIVE;
  }

  protected final void requireActive() {
    if (state != State.ACTIVE) {
      throw new IllegalStateException(
          "The transaction begun at " + timestamp() + " " + state.text + ": begin another.");
    }
    if (isExpired()) {
      giveUp(State.ENDED);
      throw TransactionException.expired(timestamp(), maxAge().toMillis());
    }
  }

  protected final void end(State end) {
    state = end;
    release();
  }
}
