package io.braid;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Keeps indexes in step with what a transaction writes (Omid, section 6.1): each write of an
 * indexed column is followed by those of its index rows, in the same transaction.
 *
 * <p>Index rows of an index that is not unique need no search for conflicts: whoever writes the
 * same index row writes the same row of the table, and conflicts there. Those of a unique index are
 * named by the value alone, so that two rows that take one value conflict.
 *
 * <p>The value before is the newest of this transaction, whatever its checkpoints (snapshot-all):
 * so one index row stands for each row in the end, and nothing is left behind by an abort.
 */
final class IndexUpdates {
  static final String FAMILY = "index";
  static final Codec<Bytes> AS_IS = Codecs.of(value -> value, value -> value);

  /** Holds the key of the row. */
  static final Column<Bytes> ROW = Column.of(FAMILY, Bytes.EMPTY, AS_IS);

  private IndexUpdates() {}

  /**
   * To be called before a column is written.
   *
   * @param value what it will hold; empty when it is deleted
   */
  static void before(
      List<Index> indexes, Transaction tx, Row row, ColumnName column, Optional<Bytes> value) {
    for (Index index : indexes) {
      if (index.column().equals(column)) {
        update(index, tx, row, value);
      }
    }
  }

  private static void update(Index index, Transaction tx, Row row, Optional<Bytes> value) {
    List<Optional<Bytes>> versions = tx.versions(row, new Column<>(index.column(), AS_IS));
    Optional<Bytes> before = versions.get(versions.size() - 1);
    if (before.equals(value)) {
      return;
    }
    value.ifPresent(v -> requireFree(index, tx, row, v));
    before.ifPresent(v -> remove(index, tx, row, v));
    value.ifPresent(v -> tx.set(at(index, row, v), ROW, row.key()));
  }

  private static void remove(Index index, Transaction tx, Row row, Bytes value) {
    Row at = at(index, row, value);
    // Of a unique index that is being built, another row may stand there.
    if (!index.unique() || newest(tx, at).filter(row.key()::equals).isPresent()) {
      tx.delete(at, ROW);
    }
  }

  private static void requireFree(Index index, Transaction tx, Row row, Bytes value) {
    if (index.unique()) {
      newest(tx, at(index, row, value))
          .filter(holder -> !holder.equals(row.key()))
          .ifPresent(
              holder -> {
                throw new DuplicateValueException(index.name(), value, Row.of(row.table(), holder));
              });
    }
  }

  private static Optional<Bytes> newest(Transaction tx, Row at) {
    List<Optional<Bytes>> versions = tx.versions(at, ROW);
    return versions.get(versions.size() - 1);
  }

  /** Where an index says that a row has a value. */
  static Row at(Index index, Row row, Bytes value) {
    return Row.of(
        index.name(), index.unique() ? IndexKeys.prefix(value) : IndexKeys.key(value, row.key()));
  }
}
