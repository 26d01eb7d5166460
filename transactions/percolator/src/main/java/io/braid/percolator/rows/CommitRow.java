package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.Families;
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
 * Makes the intents of a committed transaction in a row commit records. This is the second phase of
 * the commit (Percolator, figure 6, lines 60 to 64), and also the roll-forward by other
 * transactions that meet the intents.
 *
 * <p>To be called only with the commit timestamp that the primary decided on. Answers Finished or
 * Refused.
 */
public final class CommitRow implements Procedure<CommitRow.Request, PercolatorAnswer> {
  public static final CommitRow INSTANCE = new CommitRow();

  /**
   * The transaction to roll forward, and the row.
   *
   * @param epoch the epoch of the table now
   * @param weak whether there are weak notifications to confirm
   */
  public record Request(Row row, long epoch, long start, long commit, boolean weak) {}

  private CommitRow() {}

  @Override
  public String name() {
    return "percolator.commit-row";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return request.commit;
  }

  @Override
  public PercolatorAnswer run(RowAccess rows, Request request) {
    RowIntents intents = RowIntents.of(rows, request.row);
    Refusal refused = intents.guardEpoch(request.epoch);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    rollForward(rows, request.row, intents, request.start, request.commit);
    if (request.weak) {
      confirmWeak(rows, request.row, request.start);
    }
    return PercolatorAnswer.FINISHED;
  }

  static void rollForward(RowAccess rows, Row row, RowIntents intents, long start, long commit) {
    List<OwnIntent> own = intents.own(start);
    if (!own.isEmpty()) {
      rows.clock().raise(commit);
    }
    for (OwnIntent each : own) {
      CommitRecords.replace(rows, row, each, start, commit);
    }
  }

  /**
   * Confirms pending notifications only: a notification that a worker has removed does not come
   * back.
   */
  static void confirmWeak(RowAccess rows, Row row, long start) {
    for (Cell cell : rows.family(row, Families.NOTIFY, Bytes.EMPTY)) {
      if (cell.version() == start) {
        Notification pending = Notification.decode(cell.value());
        if (pending.kind() == Notification.Kind.WEAK_PENDING) {
          rows.put(row, cell.column(), start, pending.confirmed().encode());
        }
      }
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(CommitRow::encode, CommitRow::decode);
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
        .varint(request.commit)
        .bool(request.weak)
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.varint(), from.varint(), from.varint(), from.bool());
  }
}
