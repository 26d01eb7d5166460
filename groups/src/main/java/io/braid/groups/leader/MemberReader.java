package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads members from the store into the cache of their group. Only the group can change them while
 * it lives. So every snapshot shows them as they were when they joined.
 */
final class MemberReader {
  private final Transactions transactions;
  private final MemberCache cache;
  private final ReadAhead ahead;
  private final Object monitor;

  /**
   * @param monitor of the group; it guards the cache and is not held while the store is read
   */
  MemberReader(Transactions transactions, MemberCache cache, ReadAhead ahead, Object monitor) {
    this.transactions = transactions;
    this.cache = cache;
    this.ahead = ahead;
    this.monitor = monitor;
  }

  /** Reads a column of a row, and of others along with it. */
  void load(Row row, ColumnName column) {
    List<Row> rows;
    synchronized (monitor) {
      rows = ahead.with(row, column, cache);
    }
    try {
      load(rows, column);
    } catch (StoreException | BlockedByTransactionException e) {
      if (rows.size() == 1) {
        throw e;
      }
      // The other members were not asked for.
      load(List.of(row), column);
    }
  }

  private void load(List<Row> rows, ColumnName column) {
    Column<Bytes> raw = new Column<>(column, Codecs.bytes());
    Map<Row, RowValues> found;
    try (Snapshot snapshot = transactions.snapshot()) {
      found = snapshot.getAll(rows, List.of(raw));
    }
    synchronized (monitor) {
      List<Optional<Bytes>> read = new ArrayList<>(found.size());
      found.forEach(
          (row, values) -> {
            Optional<Bytes> value = values.get(raw);
            cache.loaded(row, column, value.orElse(null));
            read.add(value);
          });
      ahead.took(rows.get(0).table(), column, read);
    }
  }

  /** Reads all columns of a family of a row. */
  void loadFamily(Row row, String family) {
    Map<ColumnName, Bytes> values;
    try (Snapshot snapshot = transactions.snapshot()) {
      values = snapshot.getRow(row, family).values();
    }
    synchronized (monitor) {
      cache.loadedFamily(row, family, values);
    }
  }
}
