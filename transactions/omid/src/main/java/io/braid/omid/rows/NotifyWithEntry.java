package io.braid.omid.rows;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
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
import org.jspecify.annotations.Nullable;

/**
 * Writes the weak notifications of a row for a transaction that does nothing else. There is nothing
 * to decide and nothing to ask: the notifications are confirmed at once.
 *
 * <p>A repeated call may bring back a notification that a worker has removed: weak observers may
 * run more than once. Answers Done or Refused.
 */
public final class NotifyWithEntry implements Procedure<NotifyWithEntry.Request, OmidAnswer> {
  public static final NotifyWithEntry INSTANCE = new NotifyWithEntry();

  /**
   * The notifications of a row.
   *
   * @param mutation without cells
   * @param entry identifies the transaction: {@link CommitEntries#keyWithWitness
   *     CommitEntries.keyWithWitness} with its first notification
   */
  public record Request(RowMutation mutation, long start, Bytes entry) {}

  private NotifyWithEntry() {}

  @Override
  public String name() {
    return "omid.notify-row";
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
  public OmidAnswer run(RowAccess rows, Request request) {
    Row row = request.mutation.row();
    Refusal refusal = refusal(rows, request);
    if (refusal != null) {
      return new OmidAnswer.Refused(refusal);
    }
    CommitEntry decision = new CommitEntry(CommitEntries.TABLE, request.entry);
    new Notification(Notification.Kind.WEAK, decision)
        .putAll(rows, row, request.mutation.weak(), request.start);
    return OmidAnswer.DONE;
  }

  private static @Nullable Refusal refusal(RowAccess rows, Request request) {
    Refusal refusal = RowIntents.of(rows, request.mutation.row()).guardIntents(request.mutation);
    return refusal != null
        ? refusal
        : WriteGuard.checkStart(rows, request.mutation.row(), request.start);
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(NotifyWithEntry::encode, NotifyWithEntry::decode);
  }

  @Override
  public Codec<OmidAnswer> resultCodec() {
    return OmidAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(128);
    request.mutation.encode(to);
    return to.varint(request.start).bytes(request.entry).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(RowMutation.decode(from), from.varint(), from.bytes());
  }
}
