package io.braid.percolator.rows;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
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
 * Writes the weak notifications of a row for a transaction that does nothing else (Percolator,
 * section 2.4). There is nothing to decide: the notifications are confirmed at once.
 *
 * <p>A repeated call may bring back a notification that a worker has removed: weak observers may
 * run more than once. Answers Finished or Refused.
 */
public final class NotifyRow implements Procedure<NotifyRow.Request, Answer> {
  public static final NotifyRow INSTANCE = new NotifyRow();

  /**
   * The notifications of a row.
   *
   * @param mutation without cells
   * @param first the first notification of the transaction, which identifies it
   */
  public record Request(RowMutation mutation, long start, PrimaryCell first) {}

  private NotifyRow() {}

  @Override
  public String name() {
    return "percolator.notify-row";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.mutation.row());
  }

  @Override
  public long highest(Request request) {
    return request.start;
  }

  @Override
  public Answer run(RowAccess rows, Request request) {
    Row row = request.mutation.row();
    Answer refused = RowLocks.of(rows, row).guard(request.mutation);
    if (refused != null) {
      return refused;
    }
    Bytes notification = new Notification(Notification.Kind.WEAK, request.first).encode();
    for (ColumnName column : request.mutation.weak()) {
      rows.put(row, Families.notification(column), request.start, notification);
    }
    return Answer.FINISHED;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(NotifyRow::encode, NotifyRow::decode);
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Answer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(128);
    request.mutation.encode(to);
    to.varint(request.start);
    request.first.encode(to);
    return to.finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(RowMutation.decode(from), from.varint(), Primaries.decode(from));
  }
}
