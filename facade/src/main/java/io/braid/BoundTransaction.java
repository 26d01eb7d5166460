package io.braid;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A transaction that reads tables of all protocols and writes those of one. */
final class BoundTransaction extends BoundSnapshot<Transaction> implements Attempt {
  private final TableBindings bindings;
  private final IndexRegistry indexes;
  // Guarded by this: the tables that are written. Most transactions write one.
  private @Nullable Written first;
  private @Nullable Map<String, Written> others;
  private volatile @Nullable Protocol writes;
  private volatile ReadLevel level = ReadLevel.SNAPSHOT;
  private volatile boolean conflicted;
  private boolean ended;
  // Of several threads one at a time compares a column with its index rows, and writes both.
  private final ReentrantLock inStep = new ReentrantLock();
  // Why the index rows of a column were not all written when the column was.
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
    Written table = written(row, column);
    Transaction part = part(table.protocol);
    List<IndexEntry> own = table.kept(indexes);
    if (own.isEmpty()) {
      part.set(row, column, value);
    } else {
      Bytes bytes = column.encode(value);
      inStep(own, part, row, column, Optional.of(bytes), () -> part.set(row, column, value));
    }
    writes = table.protocol;
  }

  @Override
  public void delete(Row row, Column<?> column) {
    Written table = written(row, column);
    Transaction part = part(table.protocol);
    List<IndexEntry> own = table.kept(indexes);
    if (own.isEmpty()) {
      part.delete(row, column);
    } else {
      inStep(own, part, row, column, Optional.empty(), () -> part.delete(row, column));
    }
    writes = table.protocol;
  }

  /**
   * Writes a column, then its index rows: all, or nothing that can be committed. The column first:
   * who writes more than memory holds has a primary from the first writes on, and that is no index
   * row.
   */
  private void inStep(
      List<IndexEntry> own,
      Transaction part,
      Row row,
      Column<?> column,
      Optional<Bytes> value,
      Runnable write) {
    inStep.lock();
    try {
      IndexUpdates updates = IndexUpdates.of(indexes, own, part, row, column.name(), value);
      write.run();
      try {
        updates.write();
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

  /**
   * Own writes have index rows where the index stood then, if there was one. Once it has moved, or
   * has come about, they are not where it is asked: the table has a new epoch, and this cannot
   * commit any more.
   */
  @Override
  public RowCursor scan(Scan scan) {
    if (writes != null
        && scan.columns().stream().anyMatch(each -> each.family().equals(Families.INDEX))) {
      indexes.asked(scan).ifPresent(this::requireKept);
    }
    return super.scan(scan);
  }

  private void requireKept(IndexEntry asked) {
    Written table = written(asked.index().table());
    if (table != null && table.first.stream().noneMatch(kept -> kept.servesAs(asked))) {
      throw newEpoch(table);
    }
  }

  private ConflictException newEpoch(Written table) {
    conflicted = true;
    long epoch = bindings.epoch(table.row.table());
    return new ConflictException(
        List.of(new Conflict(table.row, table.column, Cause.NEW_EPOCH, epoch)));
  }

  /**
   * Why a table is not there: if it is an index that was dropped since, then its table has changed,
   * and the transaction runs again without.
   */
  private RuntimeException explained(UnknownTableException unknown) {
    for (Written table : allWritten()) {
      if (!table.kept.isEmpty()) {
        learn.accept(table.row.table());
      }
      if (!table.kept.stream().allMatch(indexes::isKept)) {
        return newEpoch(table);
      }
    }
    return unknown;
  }

  @Override
  public void lock(Row row, Column<?> column) {
    Written table = written(row, column);
    part(table.protocol).lock(row, column);
    writes = table.protocol;
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    Written table = written(row, column);
    part(table.protocol).notifyWeakly(row, column);
    writes = table.protocol;
  }

  /** What is known of the table of a column that is about to be written. */
  private Written written(Row row, Column<?> column) {
    if (indexes.isIndex(row.table())) {
      throw new IllegalArgumentException(
          "Table " + row.table() + " is an index: write the column that it is of.");
    }
    if (column.name().family().equals(Families.INDEX)) {
      throw new IllegalArgumentException(
          "Family " + Families.INDEX + " holds indexes: write the columns that they are of.");
    }
    bindings.requireOpen();
    Protocol wanted = bindings.forWriting(row.table());
    Written table = written(row, column.name(), wanted);
    if (table.protocol != wanted) {
      throw newEpoch(table);
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
    part(wanted);
    // If the part knows the table of after a change of its protocol, that is seen here.
    return bindings.forWriting(row.table()) == wanted ? table : written(row, column);
  }

  /** A table that is written. */
  private static final class Written {
    final Row row;
    final ColumnName column;

    /** What the table was bound to when it was written first, whatever it is bound to now. */
    final Protocol protocol;

    /** The indexes that were known when it was written first. */
    final List<IndexEntry> first;

    /** The names of all that were kept in step when it was written. */
    final Set<String> kept = ConcurrentHashMap.newKeySet();

    Written(Row row, ColumnName column, Protocol protocol, List<IndexEntry> indexes) {
      this.row = row;
      this.column = column;
      this.protocol = protocol;
      this.first = indexes;
    }

    /** The indexes that a write has to keep in step now. */
    List<IndexEntry> kept(IndexRegistry indexes) {
      List<IndexEntry> now = indexes.of(row.table());
      now.forEach(entry -> kept.add(entry.index().name()));
      return now;
    }
  }

  private synchronized Written written(Row row, ColumnName column, Protocol protocol) {
    String table = row.table();
    Written before = written(table);
    if (before != null) {
      return before;
    }
    Written now = new Written(row, column, protocol, indexes.of(table));
    if (first == null) {
      first = now;
    } else {
      if (others == null) {
        others = new HashMap<>();
      }
      others.put(table, now);
    }
    return now;
  }

  private synchronized @Nullable Written written(String table) {
    Written one = first;
    if (one == null || one.row.table().equals(table)) {
      return one;
    }
    return others == null ? null : others.get(table);
  }

  private synchronized List<Written> allWritten() {
    List<Written> all = new ArrayList<>();
    if (first != null) {
      all.add(first);
    }
    if (others != null) {
      all.addAll(others.values());
    }
    return all;
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
      bindings.requireOpen();
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
          "A column was written and not all of its index rows, so the transaction was rolled back:"
              + " begin another.",
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
