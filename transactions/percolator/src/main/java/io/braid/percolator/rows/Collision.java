package io.braid.percolator.rows;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import org.jspecify.annotations.Nullable;

/**
 * Why a column cannot be written: another transaction's intent, or a commit after the start.
 *
 * @param newerCommit the newest commit timestamp above the start; 0 when an intent is the cause
 * @param intent the intent that is the cause; null when a commit is
 */
public record Collision(
    Row row, ColumnName column, long newerCommit, @Nullable ForeignIntent intent) {
  static Collision newer(Row row, ColumnName column, long commit) {
    return new Collision(row, column, commit, null);
  }

  static Collision locked(Row row, ForeignIntent intent) {
    return new Collision(row, intent.column(), 0, intent);
  }

  /** Whether the obstacle stays for ever: a lock may go, a commit does not. */
  public boolean isFinal() {
    return intent == null;
  }

  void encode(Encoder to) {
    to.row(row).column(column).varint(newerCommit).bool(intent != null);
    if (intent != null) {
      intent.encode(to);
    }
  }

  static Collision decode(Decoder from) {
    return new Collision(
        from.row(), from.column(), from.varint(), from.bool() ? ForeignIntent.decode(from) : null);
  }
}
