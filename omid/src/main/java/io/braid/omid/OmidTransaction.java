package io.braid.omid;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.HoldPass;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.CheckpointedWrites;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.MergedCursor;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionExpiredException;
import io.braid.core.transaction.TransactionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A transaction: a snapshot, and the writes that are buffered over it (algorithm 3). */
final class OmidTransaction implements Transaction {
  private final OmidSnapshot snapshot;
  private final TableCatalog catalog;
  private final Map<String, TableCatalog.Table> tables;
  private final Committer committer;
  private final Supplier<ChangeSink> sink;
  private final OmidOptions options;
  private final HoldPass pass;
  private final CheckpointedWrites writes;
  private final long begunNanos;
  private volatile State state = State.ACTIVE;
  private @Nullable TransactionId id;

  /** How far it has come. */
  private enum State {
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
   * @param pass of the key group on whose behalf it is done
   * @param tables what was known of the tables when it began
   */
  OmidTransaction(
      OmidSnapshot snapshot,
      HoldPass pass,
      Map<String, TableCatalog.Table> tables,
      Committer committer,
      Supplier<ChangeSink> sink) {
    this.snapshot = snapshot;
    this.pass = pass;
    this.catalog = committer.around().tables();
    this.tables = tables;
    this.committer = committer;
    this.sink = sink;
    this.options = committer.around().options();
    this.writes = new CheckpointedWrites(options.limits(), options.smallValueBytes());
    this.begunNanos = committer.around().seams().nanoTime();
  }

  @Override
  public long timestamp() {
    return snapshot.timestamp();
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    requireActive();
    CellWrite own = writes.readable().at(row, column.name());
    if (own == null || own.kind() == Intent.Kind.LOCK) {
      return snapshot.get(row, column);
    }
    return own.kind() == Intent.Kind.DELETE
        ? Optional.empty()
        : Optional.of(column.codec().decode(own.value()));
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    requireActive();
    List<ColumnName> names = OmidSnapshot.names(columns);
    Map<Row, List<ColumnName>> wanted = new LinkedHashMap<>();
    for (Row row : rows) {
      wanted.put(row, notWritten(row, names));
    }
    Map<Row, RowValues> all = new LinkedHashMap<>();
    snapshot
        .getAll(wanted)
        .forEach(
            (row, values) -> {
              for (ColumnName name : names) {
                CellWrite own = writes.readable().at(row, name);
                if (own != null) {
                  MergedCursor.overlay(values, own);
                }
              }
              all.put(row, new RowValues(row, values));
            });
    return all;
  }

  private List<ColumnName> notWritten(Row row, List<ColumnName> names) {
    if (writes.readable().at(row).isEmpty()) {
      return names;
    }
    List<ColumnName> rest = new ArrayList<>(names.size());
    for (ColumnName name : names) {
      CellWrite own = writes.readable().at(row, name);
      if (own == null || own.kind() == Intent.Kind.LOCK) {
        rest.add(name);
      }
    }
    return rest;
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    requireActive();
    RowValues committed = snapshot.getRow(row, families);
    SortedMap<ColumnName, CellWrite> own = writes.readable().at(row);
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
    return new MergedCursor(snapshot.scan(scan.limit(Long.MAX_VALUE)), writes.readable(), scan);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    requireActive();
    return snapshot.lastChanged(row, column);
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    check(row, column);
    Objects.requireNonNull(value, "There is no null value: delete the cell instead.");
    writes.all().set(row, column.name(), column.codec().encode(value));
    writes.wrote(row, column.name());
  }

  @Override
  public void delete(Row row, Column<?> column) {
    check(row, column);
    writes.all().delete(row, column.name());
    writes.wrote(row, column.name());
  }

  @Override
  public void lock(Row row, Column<?> column) {
    check(row, column);
    writes.all().lock(row, column.name());
    writes.wrote(row, column.name());
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    throw new UnsupportedOperationException(
        "Table "
            + row.table()
            + " is bound to Omid, which knows no weak notifications: write an observed column.");
  }

  private void check(Row row, Column<?> column) {
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
    return writes.checkpoint();
  }

  @Override
  public void readLevel(ReadLevel level) {
    requireActive();
    writes.level(level);
  }

  @Override
  public <T> List<Optional<T>> versions(Row row, Column<T> column) {
    requireActive();
    return writes.versions(row, column, snapshot.get(row, column));
  }

  @Override
  public boolean hasWrites() {
    return !writes.all().isEmpty();
  }

  @Override
  public long commit() {
    requireActive();
    if (writes.all().isEmpty()) {
      end(State.COMMITTED);
      return timestamp();
    }
    ChangeSink changes = sink.get();
    State end = State.ENDED;
    try {
      CommitPlan plan = CommitPlan.of(timestamp(), pass, writes.all(), this::epochOf, changes);
      id = plan.id();
      long commit = committer.commit(plan, changes);
      end = State.COMMITTED;
      return commit;
    } catch (ConflictException e) {
      end = State.CONFLICTED;
      throw e;
    } finally {
      end(end);
    }
  }

  /** The epoch of a table at the begin: one that is learnt later could hide a change since. */
  private long epochOf(String table) {
    TableCatalog.Table known = tables.get(table);
    if (known != null) {
      return known.epoch();
    }
    long epoch = catalog.epoch(table);
    if (epoch != 0) {
      throw new ConflictException(newEpoch(table, epoch));
    }
    return epoch;
  }

  private List<Conflict> newEpoch(String table, long epoch) {
    List<Conflict> conflicts = new ArrayList<>();
    writes
        .all()
        .forEachCell(
            (row, column) -> {
              if (row.table().equals(table)) {
                conflicts.add(new Conflict(row, column, Cause.NEW_EPOCH, epoch));
              }
            });
    return conflicts;
  }

  @Override
  public void rollback() {
    if (state == State.ACTIVE) {
      end(State.ENDED);
    }
  }

  @Override
  public Optional<TransactionId> id() {
    return Optional.ofNullable(id);
  }

  @Override
  public void close() {
    rollback();
  }

  /** Whether its commit was refused because others were first. */
  boolean hasConflicted() {
    return state == State.CONFLICTED;
  }

  boolean isActive() {
    return state == State.ACTIVE;
  }

  private void requireActive() {
    if (state != State.ACTIVE) {
      throw new IllegalStateException(
          "The transaction begun at " + timestamp() + " " + state.text + ": begin another.");
    }
    long age = committer.around().seams().nanoTime() - begunNanos;
    if (age > options.maxAge().toNanos()) {
      end(State.ENDED);
      throw new TransactionExpiredException(timestamp(), options.maxAge().toMillis());
    }
  }

  private void end(State end) {
    state = end;
    snapshot.close();
  }
}
