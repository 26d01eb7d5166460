package io.braid.percolator.rows;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Sets a pin unless it is set already, or removes the pin if it is still the intended one; in
 * Braid's own table. A call that is repeated, or arrives after a later one, changes nothing. So a
 * removed pin does not come back.
 *
 * <p>Answers the timestamp of the pin that is there afterwards, or 0 if there is none.
 */
public final class SetPin implements Procedure<SetPin.Request, Long> {
  public static final SetPin INSTANCE = new SetPin();

  /** The column of a pin's row that holds the timestamp. */
  public static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "timestamp");

  private static final ColumnName CHANGED = ColumnName.of(Families.SYSTEM, "changed");
  private static final long VERSION = 1;

  /**
   * The pin to set or remove.
   *
   * @param remove whether to remove it, if it has this timestamp
   * @param at a fresh timestamp, which puts changes of a pin in order
   */
  public record Request(Row row, long timestamp, boolean remove, long at) {}

  private SetPin() {}

  @Override
  public String name() {
    return "percolator.set-pin";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return Math.max(request.timestamp, request.at);
  }

  @Override
  public Long run(RowAccess rows, Request request) {
    Cell cell = rows.at(request.row, COLUMN, VERSION);
    long before = cell == null ? 0 : cell.value().longAt(0);
    Cell changed = rows.at(request.row, CHANGED, VERSION);
    if (changed != null && changed.value().longAt(0) >= request.at) {
      return before;
    }
    rows.put(request.row, CHANGED, VERSION, Bytes.ofLong(request.at));
    if (request.remove && before == request.timestamp) {
      rows.delete(request.row, COLUMN, VERSION);
      return 0L;
    }
    if (!request.remove && before == 0) {
      rows.put(request.row, COLUMN, VERSION, Bytes.ofLong(request.timestamp));
      return request.timestamp;
    }
    return before;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(
        request ->
            new Encoder()
                .row(request.row)
                .varint(request.timestamp)
                .bool(request.remove)
                .varint(request.at)
                .finish(),
        bytes -> {
          Decoder from = new Decoder(bytes);
          return new Request(from.row(), from.varint(), from.bool(), from.varint());
        });
  }

  @Override
  public Codec<Long> resultCodec() {
    return Codecs.int64();
  }
}
