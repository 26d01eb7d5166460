package io.braid.omid;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.FastSession.Versioned;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import io.braid.omid.rows.FastWrite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The operations that the fast path cannot do, as regular transactions (section 4.1). */
final class RegularTransactions {
  private static final Codec<Bytes> AS_IS = Codecs.of(value -> value, value -> value);

  private final Transactions transactions;
  private final Consumer<String> check;

  /**
   * @param check refuses a table that has been replaced since the begin of the session
   */
  RegularTransactions(Transactions transactions, Consumer<String> check) {
    this.transactions = transactions;
    this.check = check;
  }

  /**
   * Reads a current snapshot. The version is that of the snapshot: no returned value is above it.
   */
  Versioned<RowValues> read(Row row, Collection<? extends Column<?>> columns) {
    try (Snapshot snapshot = transactions.snapshot()) {
      RowValues values = Objects.requireNonNull(snapshot.getAll(List.of(row), columns).get(row));
      check.accept(row.table());
      return new Versioned<>(snapshot.timestamp(), values);
    }
  }

  /**
   * Writes the change, if no commit is above a version.
   *
   * @param refusal why the fast path did not write; gives details when this write fails too
   */
  long write(RowChange change, long upTo, @Nullable ConflictException refusal) {
    try {
      return transactions.run(
          tx -> {
            check.accept(change.row().table());
            write(tx, change, upTo);
            return tx.commit();
          });
    } catch (ConflictException e) {
      if (refusal != null) {
        e.addSuppressed(refusal);
      }
      throw e;
    }
  }

  private static void write(Transaction tx, RowChange change, long upTo) {
    List<Conflict> newer = new ArrayList<>(0);
    change
        .columns()
        .forEach(
            (name, value) -> {
              Column<Bytes> column = new Column<>(name, AS_IS);
              long changed = upTo == FastWrite.ANY ? 0 : changed(tx, change.row(), column);
              if (changed > upTo) {
                newer.add(new Conflict(change.row(), name, Cause.NEWER_COMMIT, changed));
              }
              value.ifPresentOrElse(
                  v -> tx.set(change.row(), column, v), () -> tx.delete(change.row(), column));
            });
    if (!newer.isEmpty()) {
      throw new ConflictException(newer);
    }
  }

  private static long changed(Transaction tx, Row row, Column<?> column) {
    return tx.lastChanged(row, column).orElse(0);
  }
}
