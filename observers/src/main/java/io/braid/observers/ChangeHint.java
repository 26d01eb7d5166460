package io.braid.observers;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;

/**
 * A hint of a change as it goes to another process.
 *
 * @param start the version of its notification
 * @param commit the version of the change
 */
record ChangeHint(Row row, ColumnName column, long start, long commit) {
  /** Returns the topic to which processes that run observers of a column subscribe. */
  static String topic(String table, ColumnName column) {
    return "observe/" + table + "/" + column;
  }

  String topic() {
    return topic(row.table(), column);
  }

  Bytes encode() {
    return new Encoder(64).row(row).column(column).varint(start).varint(commit).finish();
  }

  static ChangeHint decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    ChangeHint hint = new ChangeHint(from.row(), from.column(), from.varint(), from.varint());
    from.end();
    return hint;
  }
}
