package io.braid.omid.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
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
import java.util.ArrayList;
import java.util.List;

/**
 * Removes the traces of a transaction that will never commit from a row (algorithm 3: {@code
 * ds.remove(k, ts)}): tentative cells, large values, notifications. Answers Done or Refused.
 */
public final class RemoveTentative implements Procedure<RemoveTentative.Request, OmidAnswer> {
  public static final RemoveTentative INSTANCE = new RemoveTentative();

  /**
   * A row of a transaction that has aborted.
   *
   * @param epoch the epoch of the row's table now
   */
  public record Request(Row row, long epoch, long start) {}

  private RemoveTentative() {}

  @Override
  public String name() {
    return "omid.remove-tentative";
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
  public OmidAnswer run(RowAccess rows, Request request) {
    RowIntents intents = RowIntents.of(rows, request.row);
    List<RowIntents.OwnIntent> own = intents.own(request.start);
    List<Cell> notifications = notifications(rows, request, !own.isEmpty());
    if (own.isEmpty() && notifications.isEmpty()) {
      return OmidAnswer.DONE;
    }
    Refusal refusal = intents.guardEpoch(request.epoch);
    if (refusal != null) {
      return new OmidAnswer.Refused(refusal);
    }
    for (RowIntents.OwnIntent each : own) {
      if (each.intent().kind() == Intent.Kind.PUT_LARGE) {
        rows.delete(request.row, Families.large(each.column()), request.start);
      }
      rows.delete(request.row, Families.intent(each.column()), request.start);
    }
    notifications.forEach(cell -> rows.delete(request.row, cell.column(), request.start));
    return OmidAnswer.DONE;
  }

  /**
   * Returns the notifications of the transaction in this row that have to be removed.
   *
   * @param strong whether its intents are still present. If not, it may have committed, and its
   *     strong notifications have to be followed
   */
  private static List<Cell> notifications(RowAccess rows, Request request, boolean strong) {
    List<Cell> notifications = new ArrayList<>(0);
    for (Cell cell : rows.family(request.row, Families.NOTIFY, Bytes.EMPTY)) {
      if (cell.version() == request.start) {
        Notification.Kind kind = Notification.decode(cell.value()).kind();
        if (kind == Notification.Kind.WEAK_PENDING
            || (kind == Notification.Kind.STRONG && strong)) {
          notifications.add(cell);
        }
      }
    }
    return notifications;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(RemoveTentative::encode, RemoveTentative::decode);
  }

  @Override
  public Codec<OmidAnswer> resultCodec() {
    return OmidAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    return new Encoder(96).row(request.row).varint(request.epoch).varint(request.start).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.varint(), from.varint());
  }
}
