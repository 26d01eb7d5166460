package io.braid.core.time;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Compare-and-set of the bound. A repeated run writes the same cell again, so that a caller that
 * gets the answer true has a durable bound.
 */
final class RaiseBound implements Procedure<RaiseBound.Step, Boolean> {
  static final RaiseBound INSTANCE = new RaiseBound();

  private static final Codec<Step> STEP =
      Codecs.of(
          step -> new Encoder(16).int64(step.expected).int64(step.next).finish(),
          bytes -> {
            Decoder from = new Decoder(bytes);
            return new Step(from.int64(), from.int64());
          });

  record Step(long expected, long next) {
    Step {
      if (next <= expected) {
        throw new IllegalArgumentException("A bound of " + expected + " cannot become " + next);
      }
    }
  }

  @Override
  public String name() {
    return "time.raise-bound";
  }

  @Override
  public List<Row> rows(Step step) {
    return List.of(StoreTimestampBound.ROW);
  }

  @Override
  public Boolean run(RowAccess rows, Step step) {
    Cell cell = rows.newest(StoreTimestampBound.ROW, StoreTimestampBound.COLUMN, Long.MAX_VALUE);
    long current = cell == null ? 0 : StoreTimestampBound.decode(cell.value());
    if (current != step.expected && current != step.next) {
      return false;
    }
    rows.put(
        StoreTimestampBound.ROW,
        StoreTimestampBound.COLUMN,
        StoreTimestampBound.VERSION,
        Bytes.ofLong(step.next));
    return true;
  }

  @Override
  public Codec<Step> argumentCodec() {
    return STEP;
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
