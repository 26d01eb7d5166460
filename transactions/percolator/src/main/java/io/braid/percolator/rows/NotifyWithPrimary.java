package io.braid.percolator.rows;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
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
public final class NotifyWithPrimary
    implements Procedure<NotifyWithPrimary.Request, PercolatorAnswer> {
  public static final NotifyWithPrimary INSTANCE = new NotifyWithPrimary();

  /**
   * The notifications of a row.
   *
   * @param mutation without cells
   * @param first the first notification of the transaction, which identifies it
   */
  public record Request(RowMutation mutation, long start, PrimaryCell first) {}

  private NotifyWithPrimary() {}

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
  public PercolatorAnswer run(RowAccess rows, Request request) {
    Row row = request.mutation.row();
    Refusal refused = RowIntents.of(rows, row).guard(request.mutation);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    new Notification(Notification.Kind.WEAK, request.first)
        .putAll(rows, row, request.mutation.weak(), request.start);
    return PercolatorAnswer.FINISHED;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(NotifyWithPrimary::encode, NotifyWithPrimary::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
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
