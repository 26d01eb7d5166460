package io.braid;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import java.util.ArrayList;
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

  private final Transaction tx;
  private final Row row;
  private final List<Row> removed = new ArrayList<>(1);
  private final List<Row> added = new ArrayList<>(1);

  private IndexUpdates(Transaction tx, Row row) {
    this.tx = tx;
    this.row = row;
  }

  /**
   * What is to be done when a column is written; to be asked before that, and done with it. Here
   * all is refused that will be: nothing is written yet.
   *
   * @param value what it will hold; empty when it is deleted
   */
  static IndexUpdates of(
      IndexRegistry registry,
      List<Index> indexes,
      Transaction tx,
      Row row,
      ColumnName column,
      Optional<Bytes> value) {
    IndexUpdates updates = new IndexUpdates(tx, row);
    for (Index index : indexes) {
      if (index.column().equals(column)) {
        updates.add(registry, index, value);
      }
    }
    return updates;
  }

  private void add(IndexRegistry registry, Index index, Optional<Bytes> value) {
    List<Optional<Bytes>> versions = tx.versions(row, new Column<>(index.column(), AS_IS));
    Optional<Bytes> before = versions.get(versions.size() - 1);
    if (before.equals(value)) {
      return;
    }
    value.ifPresent(
        v -> {
          registry.requireFits(at(index, row, v), row);
          requireFree(index, tx, row, v);
          added.add(at(index, row, v));
        });
    before
        .map(v -> at(index, row, v))
        .filter(at -> stands(registry, index, at))
        .ifPresent(removed::add);
  }

  private boolean stands(IndexRegistry registry, Index index, Row at) {
    // An index that is being built holds nothing that is too long: its building will be refused.
    if (!index.ready() && !registry.fits(at)) {
      return false;
    }
    // Of a unique index that is being built, another row may stand there.
    return !index.unique() || newest(tx, at).filter(row.key()::equals).isPresent();
  }

  boolean isEmpty() {
    return removed.isEmpty() && added.isEmpty();
  }

  void write() {
    removed.forEach(at -> tx.delete(at, ROW));
    added.forEach(at -> tx.set(at, ROW, row.key()));
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
