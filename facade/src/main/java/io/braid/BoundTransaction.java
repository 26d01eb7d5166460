package io.braid;

import io.braid.IndexRegistry.Entry;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Conflicting;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A transaction that reads tables of all protocols and writes those of one. */
final class BoundTransaction extends BoundSnapshot<Transaction> implements Attempt {
  private final TableBindings bindings;
  private final IndexRegistry indexes;
  // Guarded by this: the tables that are written, and the protocol that each was bound to then.
  // Most
  // transactions write one.
  private @Nullable Written first;
  private @Nullable Map<String, Protocol> others;
  private volatile @Nullable Protocol writes;
  private volatile ReadLevel level = ReadLevel.SNAPSHOT;
  private volatile boolean conflicted;
  private boolean ended;
  // Of several threads one at a time compares a column with its index rows, and writes both.
  private final ReentrantLock inStep = new ReentrantLock();
  // A cell that is written of the table of each index.
  private final Map<String, Indexed> indexed = new ConcurrentHashMap<>(1);
  // A cell that is written of each table of which no index was known then, and the last of them.
  private final Map<String, Unindexed> unindexed = new ConcurrentHashMap<>(1);
  private volatile @Nullable String lastUnindexed;
  // Why a column was not written when some of its index rows were.
  private volatile @Nullable RuntimeException half;

  private final Consumer<String> learn;

  /**
   * @param learn looks a table up whose indexes are not what was known
   */
  BoundTransaction(
      TableBindings bindings,
      IndexRegistry indexes,
      Transaction percolator,
      LongFunction<Transaction> omidAt,
      Consumer<String> learn) {
    super(bindings, percolator, omidAt);
    this.bindings = bindings;
    this.indexes = indexes;
    this.learn = learn;
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    Transaction part = writer(row, column);
    List<Entry> own = indexes.of(row.table());
    if (own.isEmpty()) {
      unindexed(row, column);
      part.set(row, column, value);
    } else {
      Bytes bytes = column.codec().encode(Objects.requireNonNull(value));
      inStep(own, part, row, column, Optional.of(bytes), () -> part.set(row, column, value));
    }
    writes = written(row.table());
  }

  @Override
  public void delete(Row row, Column<?> column) {
    Transaction part = writer(row, column);
    List<Entry> own = indexes.of(row.table());
    if (own.isEmpty()) {
      unindexed(row, column);
      part.delete(row, column);
    } else {
      inStep(own, part, row, column, Optional.empty(), () -> part.delete(row, column));
    }
    writes = written(row.table());
  }

  /** Writes a column and its index rows: both, or nothing that can be committed. */
  private void inStep(
      List<Entry> own,
      Transaction part,
      Row row,
      Column<?> column,
      Optional<Bytes> value,
      Runnable write) {
    inStep.lock();
    try {
      own.forEach(
          entry ->
              indexed.putIfAbsent(entry.index().name(), new Indexed(entry, row, column.name())));
      IndexUpdates updates = IndexUpdates.of(indexes, own, part, row, column.name(), value);
      if (updates.isEmpty()) {
        write.run();
        return;
      }
      try {
        updates.write();
        write.run();
      } catch (RuntimeException e) {
        half = e;
        throw e;
      }
    } catch (UnknownTableException e) {
      throw explained(e);
    } finally {
      inStep.unlock();
    }
  }

  private record Indexed(Entry entry, Row row, ColumnName column) {}

  private record Unindexed(Row row, ColumnName column) {}

  /** A table was written that had no index, as far as is known here. */
  private void unindexed(Row row, Column<?> column) {
    String table = row.table();
    if (!table.equals(lastUnindexed)) {
      unindexed.putIfAbsent(table, new Unindexed(row, column.name()));
      lastUnindexed = table;
    }
  }

  /**
   * Own writes have index rows where the index stood then, if there was one. Once it has moved, or
   * has come about, they are not where it is asked: the table has a new epoch, and this cannot
   * commit any more.
   */
  @Override
  public RowCursor scan(Scan scan) {
    if (scan.columns().stream().anyMatch(column -> column.family().equals(Families.INDEX))) {
      for (Entry now : indexes.at(scan.table())) {
        Indexed own = indexed.get(now.index().name());
        if (own == null) {
          requireNothing(unindexed.get(now.index().table()));
        } else if (!own.entry.holdsWhatIsAskedOf(now)) {
          requireNothing(new Unindexed(own.row, own.column));
        }
      }
    }
    return super.scan(scan);
  }

  private void requireNothing(@Nullable Unindexed write) {
    if (write != null) {
      conflicted = true;
      long epoch = bindings.epoch(write.row.table());
      throw new ConflictException(
          List.of(new Conflict(write.row, write.column, Cause.NEW_EPOCH, epoch)));
    }
  }

  /**
   * Why a table is not there: if it is an index that was dropped since, then its table has changed,
   * and the transaction runs again without.
   */
  private RuntimeException explained(UnknownTableException unknown) {
    for (Map.Entry<String, Indexed> each : indexed.entrySet()) {
      Row row = each.getValue().row;
      learn.accept(row.table());
      if (!indexes.isKept(each.getKey())) {
        long epoch = bindings.epoch(row.table());
        conflicted = true;
        return new ConflictException(
            List.of(new Conflict(row, each.getValue().column, Cause.NEW_EPOCH, epoch)));
      }
    }
    return unknown;
  }

  @Override
  public void lock(Row row, Column<?> column) {
    Transaction part = writer(row, column);
    part.lock(row, column);
    writes = written(row.table());
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    Transaction part = writer(row, column);
    part.notifyWeakly(row, column);
    writes = written(row.table());
  }

  private Transaction writer(Row row, Column<?> column) {
    if (indexes.isIndex(row.table())) {
      throw new IllegalArgumentException(
          "Table " + row.table() + " is an index: write the column that it is of.");
    }
    if (column.name().family().equals(Families.INDEX)) {
      throw new IllegalArgumentException(
          "Family " + Families.INDEX + " holds indexes: write the columns that they are of.");
    }
    Protocol wanted = bindings.forWriting(row.table());
    Protocol before = wrote(row.table(), wanted);
    if (before != null && before != wanted) {
      conflicted = true;
      throw new ConflictException(
          List.of(new Conflict(row, column.name(), Cause.NEW_EPOCH, bindings.epoch(row.table()))));
    }
    if (writes != null && writes != wanted) {
      throw new IllegalArgumentException(
          "Table "
              + row.table()
              + " is bound to "
              + wanted.word()
              + ", and this transaction writes tables bound to "
              + writes.word()
              + ": use two transactions, or tables of one protocol.");
    }
    Transaction part = part(wanted);
    // If the part knows the table of after a change of its protocol, that is seen here.
    return bindings.forWriting(row.table()) == wanted ? part : writer(row, column);
  }

  private record Written(String table, Protocol protocol) {}

  /** The protocol that the table was bound to when it was written first; null if it is now. */
  private synchronized @Nullable Protocol wrote(String table, Protocol protocol) {
    Written one = first;
    if (one == null) {
      first = new Written(table, protocol);
      return null;
    }
    if (one.table.equals(table)) {
      return one.protocol;
    }
    if (others == null) {
      others = new HashMap<>();
    }
    return others.putIfAbsent(table, protocol);
  }

  /** The protocol that a table was bound to when it was written, whatever it is bound to now. */
  private synchronized Protocol written(String table) {
    Written one = Objects.requireNonNull(first);
    return one.table.equals(table)
        ? one.protocol
        : Objects.requireNonNull(Objects.requireNonNull(others).get(table));
  }

  @Override
  public int checkpoint() {
    inStep.lock();
    try {
      return checkpointParts();
    } finally {
      inStep.unlock();
    }
  }

  private int checkpointParts() {
    int number = part(Protocol.PERCOLATOR).checkpoint();
    Transaction omid = omidIfUsed();
    if (omid != null) {
      omid.checkpoint();
    }
    level = ReadLevel.SNAPSHOT_EXCLUDE_CURRENT;
    return number;
  }

  @Override
  public void readLevel(ReadLevel next) {
    part(Protocol.PERCOLATOR).readLevel(next);
    Transaction omid = omidIfUsed();
    if (omid != null) {
      omid.readLevel(next);
    }
    level = next;
  }

  @Override
  void joined(Transaction part) {
    part.readLevel(level);
  }

  @Override
  public <T> List<Optional<T>> versions(Row row, Column<T> column) {
    return part(protocol(row.table())).versions(row, column);
  }

  @Override
  public boolean hasWrites() {
    return writes != null;
  }

  @Override
  public long commit() {
    try {
      requireWhole();
      return part(writes == null ? Protocol.PERCOLATOR : writes).commit();
    } catch (ConflictException e) {
      conflicted = true;
      throw e;
    } catch (UnknownTableException e) {
      throw explained(e);
    } finally {
      ended = true;
      closeParts();
    }
  }

  private void requireWhole() {
    if (half != null) {
      throw new IllegalStateException(
          "A write was refused when some of its index rows stood already, so the transaction was"
              + " rolled back: begin another.",
          half);
    }
  }

  /** The part that its commit commits, if that is of the protocol, and may be committed. */
  Optional<Transaction> committing(Protocol protocol) {
    Protocol own = writes == null ? Protocol.PERCOLATOR : writes;
    return own == protocol && half == null ? Optional.of(part(own)) : Optional.empty();
  }

  /** Its part was committed, or not. */
  CommitResult committed(CommitResult result) {
    CommitResult told =
        result instanceof CommitResult.Failed failed
                && failed.failure() instanceof UnknownTableException unknown
            ? new CommitResult.Failed(explained(unknown))
            : result;
    conflicted |=
        told instanceof CommitResult.Failed failed && failed.failure() instanceof ConflictException;
    ended = true;
    closeParts();
    return told;
  }

  private void closeParts() {
    Transaction omid = omidIfUsed();
    if (omid != null) {
      omid.rollback();
    }
    part(Protocol.PERCOLATOR).rollback();
  }

  @Override
  public void rollback() {
    ended = true;
    closeParts();
  }

  @Override
  public Optional<TransactionId> id() {
    return writes == null ? Optional.empty() : part(writes).id();
  }

  @Override
  public void close() {
    rollback();
  }

  @Override
  public boolean hasConflicted() {
    return conflicted
        || (part(Protocol.PERCOLATOR) instanceof Conflicting part && part.hasConflicted());
  }

  @Override
  public boolean isActive() {
    return !ended;
  }
}
