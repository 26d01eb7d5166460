package io.braid.observers;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ReadLevel;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The view that an observer gets of its transaction: everything but its end. */
final class ObserverTransaction implements Transaction {
  private final Transaction tx;

  ObserverTransaction(Transaction tx) {
    this.tx = tx;
  }

  @Override
  public long timestamp() {
    return tx.timestamp();
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    return tx.get(row, column);
  }

  @Override
  public RowValues get(Row row, Collection<? extends Column<?>> columns) {
    return tx.get(row, columns);
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    return tx.getAll(rows, columns);
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    return tx.getRow(row, families);
  }

  @Override
  public RowCursor scan(Scan scan) {
    return tx.scan(scan);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    return tx.lastChanged(row, column);
  }

  @Override
  public OptionalLong changedSince(Row row, Column<?> column, long version) {
    return tx.changedSince(row, column, version);
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    tx.set(row, column, value);
  }

  @Override
  public void delete(Row row, Column<?> column) {
    tx.delete(row, column);
  }

  @Override
  public void lock(Row row, Column<?> column) {
    tx.lock(row, column);
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    tx.notifyWeakly(row, column);
  }

  @Override
  public int checkpoint() {
    return tx.checkpoint();
  }

  @Override
  public void readLevel(ReadLevel level) {
    tx.readLevel(level);
  }

  @Override
  public <T> List<Optional<T>> versions(Row row, Column<T> column) {
    return tx.versions(row, column);
  }

  @Override
  public boolean hasWrites() {
    return tx.hasWrites();
  }

  @Override
  public Optional<TransactionId> id() {
    return tx.id();
  }

  @Override
  public long commit() {
    throw notYours();
  }

  @Override
  public void rollback() {
    throw notYours();
  }

  @Override
  public void close() {
    throw notYours();
  }

  private static IllegalStateException notYours() {
    return new IllegalStateException(
        "The transaction of an observer ends after it: return to commit, throw to roll back.");
  }
}
