package io.braid.observers.rows;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Notification;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
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
import org.apiguardian.api.API;

/**
 * Makes a dead-lettered change pending again: the record goes and a notification comes, at one
 * instant. A strong observer then compares the change with its acknowledgment as ever, so a replay
 * never makes a second run for one change.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ReplayChange implements Procedure<ReplayChange.Request, GuardedAnswer> {
  public static final ReplayChange INSTANCE = new ReplayChange();

  private static final Codec<Request> REQUEST = Codecs.of(Request::encode, Request::decode);

  /**
   * The change to replay.
   *
   * @param epoch the epoch of the table as the caller knows it
   * @param version of the notification; drawn from the oracle for this replay alone
   */
  public record Request(
      long epoch, Row row, String observer, ColumnName column, boolean weak, long version) {
    private Bytes encode() {
      Encoder to = new Encoder().varint(epoch).row(row).text(observer).column(column);
      return to.bool(weak).varint(version).finish();
    }

    private static Request decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      return new Request(
          from.varint(), from.row(), from.text(), from.column(), from.bool(), from.varint());
    }
  }

  @Override
  public String name() {
    return "observers.replay-change";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return request.version;
  }

  @Override
  public GuardedAnswer run(RowAccess rows, Request request) {
    Row row = request.row;
    Refusal refusal = WriteGuard.checkEpoch(rows, row, request.epoch);
    if (refusal != null) {
      return GuardedAnswer.refused(refusal);
    }
    ColumnName deadLetter = Families.deadLetter(request.observer, request.column);
    ColumnName notification = Families.notification(request.column);
    Cell record = rows.at(row, deadLetter, DeadLetter.VERSION);
    if (record == null || isLater(DeadLetter.decode(row, record), request)) {
      return rows.at(row, notification, request.version) == null
          ? GuardedAnswer.NOTHING_TO_DO
          : GuardedAnswer.DONE;
    }
    rows.delete(row, deadLetter, DeadLetter.VERSION);
    rows.put(row, notification, request.version, notification(row, request.column, request.weak));
    return GuardedAnswer.DONE;
  }

  /**
   * Returns whether the change became a dead letter again after this replay. Then this request is a
   * repeated one. The visit that saw the notification of the first request removes it, because the
   * change is a dead letter.
   */
  private static boolean isLater(DeadLetter letter, Request request) {
    return letter.upTo() >= request.version;
  }

  /**
   * Returns a notification of a change that has been decided: no reader will look at its decision
   * point.
   */
  public static Bytes notification(Row row, ColumnName column, boolean weak) {
    Notification.Kind kind = weak ? Notification.Kind.WEAK : Notification.Kind.STRONG;
    return new Notification(kind, new DecisionPoint.PrimaryCell(row, column)).encode();
  }

  @Override
  public Codec<Request> argumentCodec() {
    return REQUEST;
  }

  @Override
  public Codec<GuardedAnswer> resultCodec() {
    return GuardedAnswer.CODEC;
  }
}
