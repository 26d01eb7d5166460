package io.braid.tables;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.ConflictingTransaction;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.indexes.IndexEntry;
import io.braid.indexes.IndexRegistry;
import io.braid.indexes.IndexUpdates;
import io.braid.tables.WrittenTables.WrittenTable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that reads tables of all protocols and writes those of one.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class BoundTransaction extends BoundSnapshot<Transaction> implements Attempt {
  private final TableBindings bindings;
  private final IndexRegistry indexes;
  private final WrittenTables written = new WrittenTables();
  private volatile @Nullable Protocol writes;
  private volatile ReadLevel level = ReadLevel.SNAPSHOT;
  private volatile boolean conflicted;
  // Lets one thread at a time compare a column with its index rows, and write both.
  private final ReentrantLock inStep = new ReentrantLock();
  // Why the index rows of a column were not all written when the column was.
  private volatile @Nullable RuntimeException half;

  private final Consumer<String> learn;

  /**
   * @param learn looks up a table whose indexes differ from the known ones
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
    write(
        written(row, column),
        (table, part) -> {
          List<IndexEntry> own = table.kept(indexes);
          if (own.isEmpty()) {
            part.set(row, column, value);
          } else {
            Bytes bytes = column.encode(value);
            inStep(own, part, row, column, Optional.of(bytes), () -> part.set(row, column, value));
          }
        });
  }

  @Override
  public void delete(Row row, Column<?> column) {
    write(
        written(row, column),
        (table, part) -> {
          List<IndexEntry> own = table.kept(indexes);
          if (own.isEmpty()) {
            part.delete(row, column);
          } else {
            inStep(own, part, row, column, Optional.empty(), () -> part.delete(row, column));
          }
        });
  }

  /**
   * Writes a table. Until the first write has succeeded, only one thread writes at a time.
   * Otherwise a write of another thread to a table of another protocol would be in a part that is
   * never committed.
   */
  private void write(WrittenTable table, BiConsumer<WrittenTable, Transaction> write) {
    Transaction part = part(table.protocol);
    if (writes == table.protocol) {
      write.accept(table, part);
      return;
    }
    inStep.lock();
    try {
      requireWritten(table.row.table(), table.protocol);
      write.accept(table, part);
      writes = table.protocol;
    } finally {
      inStep.unlock();
    }
  }

  /**
   * Writes a column, then its index rows: all, or nothing that can be committed. The column comes
   * first: a transaction that writes more than memory holds has a primary from its first writes on,
   * and the primary is then no index row.
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
   * Scans rows. Own writes have index rows at the place of the index at the time of the write, if
   * there was an index. Once the index was moved or created, these rows are not where a lookup
   * reads. The table has a new epoch then, and this transaction can no longer commit.
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
    WrittenTable table = written.written(asked.index().table());
    if (table != null && table.first.stream().noneMatch(kept -> kept.servesAs(asked))) {
      throw newEpoch(table);
    }
  }

  private ConflictException newEpoch(WrittenTable table) {
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
    for (WrittenTable table : written.all()) {
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
    write(written(row, column), (table, part) -> part.lock(row, column));
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    write(written(row, column), (table, part) -> part.notifyWeakly(row, column));
  }

  /** Returns what is known about the table of a column that is about to be written. */
  private WrittenTable written(Row row, Column<?> column) {
    if (indexes.isIndex(row.table())) {
      throw new IllegalArgumentException(
          "Table " + row.table() + " is an index: write the column that it is of.");
    }
    if (column.name().family().equals(Families.INDEX)) {
      throw new IllegalArgumentException(
          "Family " + Families.INDEX + " holds indexes: write the columns that they are of.");
    }
    bindings.requireOpen();
    WrittenTable before = written.written(row.table());
    if (before != null && !bindings.mayBeWritten(row.table())) {
      // The change of the table has ended this transaction: there is nothing to wait for.
      throw newEpoch(before);
    }
    Protocol wanted = bindings.forWriting(row.table());
    WrittenTable table = written.written(indexes, row, column.name(), wanted);
    if (table.protocol != wanted) {
      throw newEpoch(table);
    }
    requireWritten(row.table(), wanted);
    part(wanted);
    // If the part knows the table as it is after a change of its protocol, the change is seen here.
    return bindings.forWriting(row.table()) == wanted ? table : written(row, column);
  }

  /** Refuses a table of another protocol than that of earlier writes. */
  private void requireWritten(String table, Protocol wanted) {
    Protocol before = writes;
    if (before != null && before != wanted) {
      bindings.requireThere(table);
      throw new IllegalArgumentException(
          "Table "
              + table
              + " is bound to "
              + wanted.word()
              + ", and this transaction writes tables bound to "
              + before.word()
              + ": use two transactions, or tables of one protocol.");
    }
  }

  /**
   * Returns the protocol of a table. Own writes belong to the protocol that the table was bound to
   * at the write. Once the table is bound to another, they are not seen, and cannot be committed.
   */
  @Override
  Protocol protocol(String table) {
    Protocol now = super.protocol(table);
    WrittenTable before = writes == null ? null : written.written(table);
    if (before != null && before.protocol != now) {
      throw newEpoch(before);
    }
    return now;
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
      end();
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

  /** Ends this transaction after the commit of its part, and returns the result. */
  CommitResult committed(CommitResult result) {
    CommitResult told =
        result instanceof CommitResult.Failed failed
                && failed.failure() instanceof UnknownTableException unknown
            ? new CommitResult.Failed(explained(unknown))
            : result;
    conflicted |=
        told instanceof CommitResult.Failed failed && failed.failure() instanceof ConflictException;
    end();
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
    end();
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
        || (part(Protocol.PERCOLATOR) instanceof ConflictingTransaction part
            && part.hasConflicted());
  }

  @Override
  public boolean isActive() {
    return !hasEnded();
  }
}
