package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
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
import org.apiguardian.api.API;

/**
 * Frees a row; answers whether it was held by that group. A hold of a higher epoch stays: a leader
 * that was taken for dead frees no hold of its successors.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ReleaseHold implements Procedure<ReleaseHold.Request, Boolean> {
  public static final ReleaseHold INSTANCE = new ReleaseHold();

  /**
   * Which row.
   *
   * @param number the identity of the group
   * @param epoch of the leader who gives the row back
   */
  public record Request(Row row, long number, long epoch) {}

  private ReleaseHold() {}

  @Override
  public String name() {
    return "groups.release-hold";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    Cell cell = rows.at(request.row, Families.hold(), request.number);
    if (cell == null || Hold.of(Intent.decode(cell.value())).epoch() > request.epoch) {
      return false;
    }
    rows.delete(request.row, Families.hold(), request.number);
    return true;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(
        request ->
            new Encoder(64).row(request.row).varint(request.number).varint(request.epoch).finish(),
        ReleaseHold::decode);
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.varint(), from.varint());
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
