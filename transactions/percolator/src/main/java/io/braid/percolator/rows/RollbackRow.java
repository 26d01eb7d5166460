package io.braid.percolator.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowIntents.OwnIntent;
import io.braid.core.cells.WriteGuard.Refusal;
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
 * Removes the traces of a transaction that will never commit from a row: its intents, their large
 * values, their notifications. Leaves no mark; {@link ResolvePrimary} does that at the primary.
 *
 * <p>To be called only after the primary decided so, or by an owner that has given up and never
 * sent a commit. Answers Finished or Refused.
 */
public final class RollbackRow implements Procedure<RollbackRow.Request, PercolatorAnswer> {
  public static final RollbackRow INSTANCE = new RollbackRow();

  /**
   * The transaction to remove, and the row.
   *
   * @param epoch the epoch of the table now
   * @param weak whether there are weak notifications to remove
   */
  public record Request(Row row, long epoch, long start, boolean weak) {}

  private RollbackRow() {}

  @Override
  public String name() {
    return "percolator.rollback-row";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return request.start;
  }

  @Override
  public PercolatorAnswer run(RowAccess rows, Request request) {
    RowIntents intents = RowIntents.of(rows, request.row);
    Refusal refused = intents.guardEpoch(request.epoch);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    for (OwnIntent own : intents.own(request.start)) {
      rows.delete(request.row, Families.intent(own.column()), request.start);
      removeTraces(rows, request.row, own, request.start);
    }
    if (request.weak) {
      removeWeak(rows, request.row, request.start);
    }
    return PercolatorAnswer.FINISHED;
  }

  /** Removes the cells that exist because of an intent. */
  static void removeTraces(RowAccess rows, Row row, OwnIntent own, long start) {
    if (own.intent().kind() == Intent.Kind.PUT_LARGE) {
      rows.delete(row, Families.large(own.column()), start);
    }
    if (rows.at(row, Families.notification(own.column()), start) != null) {
      rows.delete(row, Families.notification(own.column()), start);
    }
  }

  private static void removeWeak(RowAccess rows, Row row, long start) {
    for (Cell cell : rows.family(row, Families.NOTIFY, Bytes.EMPTY)) {
      if (cell.version() == start
          && Notification.decode(cell.value()).kind() == Notification.Kind.WEAK_PENDING) {
        rows.delete(row, cell.column(), start);
      }
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(RollbackRow::encode, RollbackRow::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    return new Encoder(96)
        .row(request.row)
        .varint(request.epoch)
        .varint(request.start)
        .bool(request.weak)
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.varint(), from.varint(), from.bool());
  }
}
