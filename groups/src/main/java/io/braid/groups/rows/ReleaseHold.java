package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/** The row is its own again; answers whether it was held by that group. */
public final class ReleaseHold implements Procedure<ReleaseHold.Request, Boolean> {
  public static final ReleaseHold INSTANCE = new ReleaseHold();

  /**
   * Which row.
   *
   * @param number the identity of the group
   */
  public record Request(Row row, long number) {}

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
    if (rows.at(request.row, Families.hold(), request.number) == null) {
      return false;
    }
    rows.delete(request.row, Families.hold(), request.number);
    return true;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(
        request -> new Encoder(64).row(request.row).varint(request.number).finish(),
        ReleaseHold::decode);
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.varint());
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
