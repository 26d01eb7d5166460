package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.cells.WriteStage;
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
 * Marks at the primary that a transaction that wrote in rounds has written all. Before this mark,
 * readers pass over its intents: the commit timestamp is drawn only after this call was answered,
 * and so will be above their snapshots. From then on readers wait.
 *
 * <p>Answers Prewritten; RolledBack when the lock is gone; Committed; or Refused. A late or
 * repeated call changes nothing.
 */
public final class EndWriting implements Procedure<EndWriting.Request, PercolatorAnswer> {
  public static final EndWriting INSTANCE = new EndWriting();

  /**
   * The transaction.
   *
   * @param epoch the epoch of the primary's table that the transaction was begun with
   */
  public record Request(PrimaryCell primary, long epoch, long start) {}

  private EndWriting() {}

  @Override
  public String name() {
    return "percolator.end-writing";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.primary.row());
  }

  @Override
  public long highest(Request request) {
    return request.start;
  }

  @Override
  public PercolatorAnswer run(RowAccess rows, Request request) {
    Row row = request.primary.row();
    ColumnName column = request.primary.column();
    RowIntents intents = RowIntents.of(rows, row);
    Refusal refused = intents.guardEpoch(request.epoch);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    Intent lock = intents.of(column, request.start);
    if (lock == null) {
      long commit = CommitRecords.committedAt(rows, row, column, request.start);
      return commit == 0 ? PercolatorAnswer.ROLLED_BACK : new PercolatorAnswer.Committed(commit);
    }
    if (!lock.undecided()) {
      return PercolatorAnswer.ROLLED_BACK;
    }
    if (lock.stage().open()) {
      Intent complete =
          new Intent(
              lock.kind(),
              lock.decision(),
              lock.owner(),
              lock.wallMillis(),
              new WriteStage(lock.stage().round(), false),
              lock.value());
      rows.put(row, Families.intent(column), request.start, complete.encode());
    }
    return PercolatorAnswer.PREWRITTEN;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(EndWriting::encode, EndWriting::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(96);
    request.primary.encode(to);
    return to.varint(request.epoch).varint(request.start).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(Primaries.decode(from), from.varint(), from.varint());
  }
}
