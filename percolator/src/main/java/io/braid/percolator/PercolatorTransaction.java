package io.braid.percolator;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.HoldPass;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.CheckpointedWrites;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.Conflicting;
import io.braid.core.protocol.MergedCursor;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitResult;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A transaction: a snapshot, and the writes that are buffered over it (Percolator, figure 6). */
final class PercolatorTransaction implements Transaction, Conflicting {
  private final PercolatorSnapshot snapshot;
  private final Function<Runnable, PercolatorSnapshot> ownReads;
  private final TableCatalog catalog;
  private final Map<String, TableCatalog.Table> tables;
  private final Committer committer;
  private final Supplier<ChangeSink> sink;
  private final PercolatorOptions options;
  private final HoldPass pass;
  private final CheckpointedWrites writes;
  private final Thread owner = Thread.currentThread();
  private volatile boolean shared;
  private volatile State state = State.ACTIVE;
  private @Nullable TransactionId id;

  // Null while all writes are in memory; then the snapshot to read them with.
  private @Nullable StreamedWrites streamed;
  private PercolatorSnapshot reads;
  private int rounds;

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
   * @param ownReads the same snapshot for when the writes of this transaction stand in the store
   * @param pass of the key group on whose behalf it is done
   * @param tables what was known of the tables when it began
   */
  PercolatorTransaction(
      PercolatorSnapshot snapshot,
      Function<Runnable, PercolatorSnapshot> ownReads,
      HoldPass pass,
      Map<String, TableCatalog.Table> tables,
      Committer committer,
      Supplier<ChangeSink> sink) {
    this.snapshot = snapshot;
    this.reads = snapshot;
    this.ownReads = ownReads;
    this.pass = pass;
    this.catalog = committer.around.tables();
    this.tables = tables;
    this.committer = committer;
    this.sink = sink;
    this.options = committer.around.options();
    this.writes = CheckpointedWrites.emptied(options.limits(), options.smallValueBytes());
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
      return committed(row, column);
    }
    return own.kind() == Intent.Kind.DELETE
        ? Optional.empty()
        : Optional.of(column.codec().decode(own.value()));
  }

  /** What a snapshot remembers is for one thread; others read past it. */
  private <T> Optional<T> committed(Row row, Column<T> column) {
    if (Thread.currentThread() == owner) {
      return reads.get(row, column);
    }
    shared = true;
    Bytes value =
        Objects.requireNonNull(reads.getAll(Map.of(row, List.of(column.name()))).get(row))
            .get(column.name());
    return Optional.ofNullable(value).map(column.codec()::decode);
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    requireActive();
    List<ColumnName> names = PercolatorSnapshot.names(columns);
    Map<Row, List<ColumnName>> wanted = new LinkedHashMap<>();
    for (Row row : rows) {
      wanted.put(row, notWritten(row, names));
    }
    Map<Row, RowValues> all = new LinkedHashMap<>();
    reads
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
    RowValues committed = reads.getRow(row, families);
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
    if (!options.limits().streams()) {
      return merged(scan);
    }
    return new StreamedCursor(scan, this::merged, () -> rounds);
  }

  private RowCursor merged(Scan scan) {
    return new MergedCursor(reads.scan(scan.limit(Long.MAX_VALUE)), writes.readable(), scan);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    requireActive();
    return snapshot.lastChanged(row, column);
  }

  @Override
  public OptionalLong changedSince(Row row, Column<?> column, long version) {
    requireActive();
    return snapshot.changedSince(row, column, version);
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    check(row, column);
    Objects.requireNonNull(value, "There is no null value: delete the cell instead.");
    writes.all().set(row, column.name(), column.codec().encode(value));
    writes.wrote(row, column.name());
    makeRoom();
  }

  @Override
  public void delete(Row row, Column<?> column) {
    check(row, column);
    writes.all().delete(row, column.name());
    writes.wrote(row, column.name());
    makeRoom();
  }

  @Override
  public void lock(Row row, Column<?> column) {
    check(row, column);
    writes.all().lock(row, column.name());
    writes.wrote(row, column.name());
    makeRoom();
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    check(row, column);
    if (writes.all().isFull()) {
      throw new IllegalArgumentException(
          "A transaction of weak notifications alone has to fit into memory, and is over the limit"
              + " of "
              + options.limits().transactionBytes()
              + " bytes: use several transactions.");
    }
    writes.all().notifyWeakly(row, column.name());
    makeRoom();
  }

  /** Writes into the store what has outgrown the memory. Needs a cell that can be the primary. */
  private void makeRoom() {
    shared |= Thread.currentThread() != owner;
    if (writes.all().isFull() && (shared || writes.hasCheckpoints())) {
      throw new IllegalArgumentException(
          "A transaction with checkpoints, or of several threads, has to fit into memory, and is over"
              + " the limit of "
              + options.limits().transactionBytes()
              + " bytes: use several transactions.");
    }
    if (writes.all().isFull() && (streamed != null || !writes.all().cells().isEmpty())) {
      stream();
    }
  }

  private void stream() {
    try {
      CommitPlan plan = CommitPlan.of(timestamp(), pass, writes.all(), this::epochOf, sink.get());
      StreamedWrites standing = streamed;
      if (standing == null) {
        standing = new StreamedWrites(committer, plan);
        streamed = standing;
        id = standing.id();
        reads = ownReads.apply(this::requireStanding);
      }
      standing.place(plan);
      writes.empty();
      rounds++;
    } catch (ConflictException e) {
      giveUp(State.CONFLICTED);
      throw e;
    } catch (RuntimeException e) {
      giveUp(State.ENDED);
      throw e;
    }
  }

  /** To be called after reads that relied on what this transaction has in the store. */
  private void requireStanding() {
    StreamedWrites standing = streamed;
    if (standing != null) {
      try {
        standing.requireStanding();
      } catch (ConflictException e) {
        giveUp(State.CONFLICTED);
        throw e;
      }
    }
  }

  private void giveUp(State end) {
    try {
      rollBackStreamed();
    } finally {
      end(end);
    }
  }

  /** Rolls back what it has in the store, unless that has come to an end already. */
  private void rollBackStreamed() {
    StreamedWrites standing = streamed;
    if (standing != null) {
      standing.rollBack();
    }
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
    if (streamed != null) {
      throw new IllegalStateException(
          "A transaction that has outgrown its memory has no checkpoints: use several transactions.");
    }
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
    return writes.versions(row, column, committed(row, column));
  }

  @Override
  public boolean hasWrites() {
    return streamed != null || !writes.all().isEmpty();
  }

  /** What it would commit if that is done at its end alone; null when there is nothing. */
  @Nullable CommitPlan plan() {
    requireActive();
    if (streamed != null || writes.all().isEmpty()) {
      return null;
    }
    try {
      CommitPlan plan = CommitPlan.of(timestamp(), pass, writes.all(), this::epochOf, sink.get());
      id = plan.id();
      return plan;
    } catch (ConflictException e) {
      end(State.CONFLICTED);
      throw e;
    } catch (RuntimeException e) {
      end(State.ENDED);
      throw e;
    }
  }

  /** Somebody has committed its {@link #plan}, or failed to. */
  void committed(CommitResult result) {
    if (result instanceof CommitResult.Failed failed) {
      end(failed.failure() instanceof ConflictException ? State.CONFLICTED : State.ENDED);
    } else {
      end(State.COMMITTED);
    }
  }

  @Override
  public long commit() {
    requireActive();
    if (!hasWrites()) {
      end(State.COMMITTED);
      return timestamp();
    }
    ChangeSink changes = sink.get();
    State end = State.ENDED;
    try {
      long commit = commit(changes);
      end = State.COMMITTED;
      return commit;
    } catch (ConflictException e) {
      rollBackStreamed();
      end = State.CONFLICTED;
      throw e;
    } catch (RuntimeException e) {
      rollBackStreamed();
      throw e;
    } finally {
      end(end);
    }
  }

  private long commit(ChangeSink changes) {
    StreamedWrites standing = streamed;
    if (standing == null) {
      CommitPlan plan = CommitPlan.of(timestamp(), pass, writes.all(), this::epochOf, changes);
      id = plan.id();
      return committer.commit(plan, changes);
    }
    CommitPlan rest =
        writes.all().isEmpty()
            ? new CommitPlan(timestamp(), standing.primary(), List.of())
            : CommitPlan.of(timestamp(), pass, writes.all(), this::epochOf, changes);
    return committer.commit(standing, rest, changes);
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
      giveUp(State.ENDED);
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

  @Override
  public boolean hasConflicted() {
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
    if (snapshot.isExpired()) {
      giveUp(State.ENDED);
      throw new TransactionExpiredException(timestamp(), options.patience().maxAge().toMillis());
    }
  }

  private void end(State end) {
    state = end;
    reads.close();
    snapshot.close();
  }
}
