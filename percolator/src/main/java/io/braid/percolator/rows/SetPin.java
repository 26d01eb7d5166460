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
 * Sets a pin unless it is set already, or removes it if it is still the one that is meant; in
 * Braid's own table.
 *
 * <p>Answers the timestamp of the pin that stands there afterwards, 0 when none does.
 */
public final class SetPin implements Procedure<SetPin.Request, Long> {
  public static final SetPin INSTANCE = new SetPin();

  /** The column of a pin's row that holds the timestamp. */
  public static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "timestamp");

  private static final long VERSION = 1;

  /**
   * Which pin.
   *
   * @param remove whether to remove it, if it stands at this timestamp
   */
  public record Request(Row row, long timestamp, boolean remove) {}

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
  public Long run(RowAccess rows, Request request) {
    Cell cell = rows.at(request.row, COLUMN, VERSION);
    long before = cell == null ? 0 : cell.value().longAt(0);
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
            new Encoder().row(request.row).varint(request.timestamp).bool(request.remove).finish(),
        bytes -> {
          Decoder from = new Decoder(bytes);
          return new Request(from.row(), from.varint(), from.bool());
        });
  }

  @Override
  public Codec<Long> resultCodec() {
    return Codecs.int64();
  }
}
