package io.braid.percolator.rows;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Intent;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * An undecided intent of another transaction that is in the way.
 *
 * @param column the user's column that the intent is on
 * @param start the start timestamp of its transaction
 * @param decision where to ask for the outcome of the transaction
 * @param owner the liveness token of its writer
 * @param wallMillis when the writer last said that it works on it, milliseconds since 1970
 */
public record ForeignIntent(
    ColumnName column, long start, DecisionPoint decision, String owner, long wallMillis) {

  static ForeignIntent of(ColumnName column, long start, Intent intent) {
    return new ForeignIntent(column, start, intent.decision(), intent.owner(), intent.wallMillis());
  }

  void encode(Encoder to) {
    to.column(column).varint(start);
    decision.encode(to);
    to.text(owner).varint(wallMillis);
  }

  static ForeignIntent decode(Decoder from) {
    return new ForeignIntent(
        from.column(), from.varint(), DecisionPoint.decode(from), from.text(), from.varint());
  }
}
