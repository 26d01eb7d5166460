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
 * Sets a pin, unless it is set already, or removes it; in Braid's own table.
 *
 * <p>Answers the timestamp of the pin: the one that stood there before, if any, else the one that
 * was set, else 0.
 */
public final class SetPin implements Procedure<SetPin.Request, Long> {
  public static final SetPin INSTANCE = new SetPin();

  /** Instead of a timestamp: remove the pin. */
  public static final long REMOVE = 0;

  /** The column of a pin's row that holds the timestamp. */
  public static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "timestamp");

  private static final long VERSION = 1;

  /** Which pin, and its timestamp or REMOVE. */
  public record Request(Row row, long timestamp) {}

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
    Cell before = rows.at(request.row, COLUMN, VERSION);
    if (request.timestamp == REMOVE) {
      rows.delete(request.row, COLUMN, VERSION);
      return before == null ? 0L : before.value().longAt(0);
    }
    if (before != null) {
      return before.value().longAt(0);
    }
    rows.put(request.row, COLUMN, VERSION, Bytes.ofLong(request.timestamp));
    return request.timestamp;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(
        request -> new Encoder().row(request.row).varint(request.timestamp).finish(),
        bytes -> {
          Decoder from = new Decoder(bytes);
          return new Request(from.row(), from.varint());
        });
  }

  @Override
  public Codec<Long> resultCodec() {
    return Codecs.int64();
  }
}
