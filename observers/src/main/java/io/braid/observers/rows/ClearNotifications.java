package io.braid.observers.rows;

import io.braid.core.cells.Families;
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
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Removes notifications of a column that have been dealt with (docs/decisions/004).
 *
 * <p>The version of a strong notification is the start timestamp of its change. The commit
 * timestamp was not known when the notification was written. So a visit may see the notification
 * before the observer begins at S, and the change may still commit above S, where the observer does
 * not see it. Therefore this procedure looks at the column at the same instant. If it finds an
 * undecided intent, or a commit record above S, all notifications stay.
 *
 * <p>Weak notifications have no column to look at. The caller knows that the transactions of
 * exactly these notifications committed below S, or never will commit.
 *
 * <p>The procedure also removes the dead letters that have been dealt with since.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ClearNotifications
    implements Procedure<ClearNotifications.Request, ClearNotifications.Answer> {
  public static final ClearNotifications INSTANCE = new ClearNotifications();

  private static final Codec<Request> REQUEST = Codecs.of(Request::encode, Request::decode);
  private static final Codec<Answer> ANSWER = Codecs.of(Answer::encode, Answer::decode);

  /**
   * The notifications to remove.
   *
   * @param epoch the epoch of the table as the caller knows it
   * @param start the lowest start timestamp of the observers that found the column clean, or made
   *     it clean; for weak notifications the newest notification that observers have dealt with, 0
   *     for none
   * @param versions the notifications that were seen before that timestamp was drawn
   */
  public record Request(
      Row row, long epoch, ColumnName column, boolean weak, long start, List<Long> versions) {

    private Bytes encode() {
      Encoder to =
          new Encoder(96 + 9 * versions.size())
              .row(row)
              .varint(epoch)
              .column(column)
              .bool(weak)
              .varint(start)
              .varint(versions.size());
      versions.forEach(to::varint);
      return to.finish();
    }

    private static Request decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      Row row = from.row();
      long epoch = from.varint();
      ColumnName column = from.column();
      boolean weak = from.bool();
      long start = from.varint();
      int count = from.count(from.remaining());
      List<Long> versions = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        versions.add(from.varint());
      }
      return new Request(row, epoch, column, weak, start, versions);
    }
  }

  /** The result of the removal. */
  public enum Kind {
    REMOVED,
    /** A transaction is writing the column. */
    KEPT_FOR_INTENT,
    /** The column changed again. */
    KEPT_FOR_CHANGE,
    /** The caller knows an old epoch. */
    STALE_EPOCH,
    /** A key group owns the row. */
    HELD
  }

  /**
   * @param epoch the current epoch for STALE_EPOCH, else 0
   */
  public record Answer(Kind kind, long epoch) {
    private Bytes encode() {
      return new Encoder(16).u8(kind.ordinal()).varint(epoch).finish();
    }

    private static Answer decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      int kind = from.u8();
      if (kind >= Kind.values().length) {
        throw new IllegalArgumentException("No answer is of kind " + kind + ".");
      }
      return new Answer(Kind.values()[kind], from.varint());
    }
  }

  @Override
  public String name() {
    return "observers.clear-notifications";
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
  public Answer run(RowAccess rows, Request request) {
    List<Cell> intents = rows.family(request.row, Families.INTENT, Bytes.EMPTY);
    Refusal refusal = WriteGuard.checkEpoch(rows, request.row, request.epoch);
    if (refusal instanceof Refusal.StaleEpoch stale) {
      return new Answer(Kind.STALE_EPOCH, stale.current());
    } else if (refusal != null) {
      return new Answer(Kind.HELD, 0);
    }
    if (!request.weak) {
      if (Acknowledgments.isBeingWritten(intents, request.column)) {
        return new Answer(Kind.KEPT_FOR_INTENT, 0);
      }
      if (rows.newestAbove(request.row, request.column, request.start) != 0) {
        return new Answer(Kind.KEPT_FOR_CHANGE, 0);
      }
    }
    for (Cell cell : rows.family(request.row, Families.DEAD_LETTERS, Bytes.EMPTY)) {
      DeadLetter letter = DeadLetter.decode(request.row, cell);
      if (letter.column().equals(request.column)) {
        if (!request.weak && isRunning(intents, letter)) {
          return new Answer(Kind.KEPT_FOR_INTENT, 0);
        }
        if (isDealtWith(rows, request, letter)) {
          rows.delete(request.row, cell.column(), cell.version());
        }
      }
    }
    ColumnName notification = Families.notification(request.column);
    request.versions.forEach(version -> rows.delete(request.row, notification, version));
    return new Answer(Kind.REMOVED, 0);
  }

  private static boolean isRunning(List<Cell> intents, DeadLetter letter) {
    return Acknowledgments.isBeingWritten(
        intents, Families.acknowledgment(letter.observer(), letter.column()));
  }

  /** Whether the observer has run, for a newer change, since the dead letter. */
  private static boolean isDealtWith(RowAccess rows, Request request, DeadLetter letter) {
    return request.weak
        ? request.start > letter.upTo()
        : Acknowledgments.covers(
            rows, request.row, request.column, letter.observer(), letter.upTo());
  }

  @Override
  public Codec<Request> argumentCodec() {
    return REQUEST;
  }

  @Override
  public Codec<Answer> resultCodec() {
    return ANSWER;
  }
}
