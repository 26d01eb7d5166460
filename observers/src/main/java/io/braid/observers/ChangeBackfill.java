package io.braid.observers;

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
 * Moves a backfill on, or begins one, if it still is where the caller thinks; answers where it is
 * then. So two processes that backfill for one observer never take each other back.
 */
final class ChangeBackfill implements Procedure<ChangeBackfill.Request, Bytes> {
  static final ChangeBackfill INSTANCE = new ChangeBackfill();

  private static final Codec<Request> REQUEST = Codecs.of(Request::encode, Request::decode);

  /**
   * @param before what is thought to stand there; empty for nothing
   * @param after what shall
   */
  record Request(String observer, Bytes before, Bytes after) {
    private Bytes encode() {
      return new Encoder().text(observer).bytes(before).bytes(after).finish();
    }

    private static Request decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      return new Request(from.text(), from.bytes(), from.bytes());
    }
  }

  @Override
  public String name() {
    return "observers.change-backfill";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(ChangeRegistration.row(request.observer));
  }

  @Override
  public Bytes run(RowAccess rows, Request request) {
    Row row = ChangeRegistration.row(request.observer);
    Cell cell = rows.at(row, Backfill.COLUMN, ChangeRegistration.VERSION);
    Bytes standing = cell == null ? Bytes.EMPTY : cell.value();
    if (!standing.equals(request.before)
        || !ChangeRegistration.isRegistered(rows, request.observer)) {
      return standing;
    }
    rows.put(row, Backfill.COLUMN, ChangeRegistration.VERSION, request.after);
    return request.after;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return REQUEST;
  }

  @Override
  public Codec<Bytes> resultCodec() {
    return Codecs.bytes();
  }
}
