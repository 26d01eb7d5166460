package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.indexes.IndexRows.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Keeps indexes in step with what a transaction writes (Omid, section 6.1): each write of an
 * indexed column is followed by those of its index rows, in the same transaction.
 *
 * <p>Index rows of an index that is not unique need no search for conflicts: two writers of the
 * same index row write the same row of the table, and conflict there. Index rows of a unique index
 * are named by the value alone, so two rows that take one value conflict.
 *
 * <p>The previous value is the newest of this transaction, whatever its checkpoints (snapshot-all).
 * So in the end each row has one index row, and an abort leaves nothing behind.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class IndexUpdates {
  /** The family of the cells of global indexes that older versions created. */
  static final String OLD_FAMILY = "index";

  static final Codec<Bytes> AS_IS = Codecs.of(value -> value, value -> value);

  private final Transaction tx;
  private final Row row;
  private final List<Place> removed = new ArrayList<>(1);
  private final List<Place> added = new ArrayList<>(1);

  private IndexUpdates(Transaction tx, Row row) {
    this.tx = tx;
    this.row = row;
  }

  /**
   * Returns the index updates for a write of a column. Call it before the write, and apply the
   * updates with the write. All refusals happen here, when nothing is written yet.
   *
   * @param value the new value; empty when the column is deleted
   */
  public static IndexUpdates of(
      IndexRegistry registry,
      List<IndexEntry> indexes,
      Transaction tx,
      Row row,
      ColumnName column,
      Optional<Bytes> value) {
    IndexUpdates updates = new IndexUpdates(tx, row);
    for (IndexEntry entry : indexes) {
      if (entry.index().column().equals(column)) {
        updates.add(registry, entry, value);
      }
    }
    return updates;
  }

  private void add(IndexRegistry registry, IndexEntry entry, Optional<Bytes> value) {
    Index index = entry.index();
    List<Optional<Bytes>> versions = tx.versions(row, new Column<>(index.column(), AS_IS));
    Optional<Bytes> before = versions.get(versions.size() - 1);
    if (before.equals(value)) {
      return;
    }
    value.ifPresent(
        v -> {
          for (Place at : entry.places(row, v)) {
            registry.requireFits(index, at.row(), row);
            requireFree(index, at, v);
            added.add(at);
          }
        });
    before.map(v -> entry.places(row, v)).orElse(List.of()).stream()
        .filter(at -> stands(registry, index, at))
        .forEach(removed::add);
  }

  private boolean stands(IndexRegistry registry, Index index, Place at) {
    // An index that is being built holds nothing that is too long: its building will be refused.
    if (!index.ready() && !registry.fits(at.row())) {
      return false;
    }
    // In a unique index that is being built, the place may hold another row.
    return !index.isUnique() || newest(at).filter(row.key()::equals).isPresent();
  }

  boolean isEmpty() {
    return removed.isEmpty() && added.isEmpty();
  }

  public void write() {
    removed.forEach(at -> tx.delete(at.row(), at.column()));
    added.forEach(at -> tx.set(at.row(), at.column(), row.key()));
  }

  private void requireFree(Index index, Place at, Bytes value) {
    if (index.isUnique()) {
      newest(at)
          .filter(holder -> !holder.equals(row.key()))
          .ifPresent(
              holder -> {
                throw new DuplicateValueException(index.name(), value, Row.of(row.table(), holder));
              });
    }
  }

  private Optional<Bytes> newest(Place at) {
    List<Optional<Bytes>> versions = tx.versions(at.row(), at.column());
    return versions.get(versions.size() - 1);
  }
}
