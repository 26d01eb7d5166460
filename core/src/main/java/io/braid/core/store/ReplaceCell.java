package io.braid.core.store;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Compare-and-set of one cell of Braid's own rows. Answers whether the cell contains the wanted
 * value afterwards. So a call that was sent twice gets the answer of the first, unless another
 * caller has changed the cell since.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ReplaceCell implements Procedure<ReplaceCell.Request, Boolean> {
  public static final ReplaceCell INSTANCE = new ReplaceCell();

  private static final Codec<Request> REQUEST =
      Codecs.of(
          request ->
              new Encoder(64)
                  .row(request.row)
                  .column(request.column)
                  .varint(request.version)
                  .bytes(request.expected)
                  .bytes(request.next)
                  .finish(),
          bytes -> {
            Decoder from = new Decoder(bytes);
            return new Request(
                from.row(), from.column(), from.varint(), from.bytes(), from.bytes());
          });

  /**
   * The cell to replace.
   *
   * @param expected the value that the cell must have; empty for no cell
   * @param next the value that the cell shall get; empty for no cell
   */
  public record Request(Row row, ColumnName column, long version, Bytes expected, Bytes next) {}

  private ReplaceCell() {}

  @Override
  public String name() {
    return "store.replace-cell";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    Cell cell = rows.at(request.row, request.column, request.version);
    Bytes current = cell == null ? Bytes.EMPTY : cell.value();
    if (!current.equals(request.expected) && !current.equals(request.next)) {
      return false;
    }
    if (request.next.isEmpty()) {
      rows.delete(request.row, request.column, request.version);
    } else {
      rows.put(request.row, request.column, request.version, request.next);
    }
    return true;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return REQUEST;
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
