package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
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
 * The commit point (Percolator, figure 6, lines 50 to 58). If the primary lock is still present, it
 * becomes a commit record, and with it all cells of the transaction in its row.
 *
 * <p>Answers Committed, with the timestamp of the first call that came through; RolledBack when the
 * lock is gone; Forgotten when the record may be gone too; or Refused.
 */
public final class CommitPrimary implements Procedure<CommitPrimary.Request, PercolatorAnswer> {
  public static final CommitPrimary INSTANCE = new CommitPrimary();

  /**
   * Where and when to commit.
   *
   * @param epoch the epoch of the primary's table that the transaction was begun with
   */
  public record Request(PrimaryCell primary, long epoch, long start, long commit, boolean weak) {}

  private CommitPrimary() {}

  @Override
  public String name() {
    return "percolator.commit-primary";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.primary.row());
  }

  @Override
  public long highest(Request request) {
    return request.commit;
  }

  @Override
  public PercolatorAnswer run(RowAccess rows, Request request) {
    Row row = request.primary.row();
    RowIntents intents = RowIntents.of(rows, row);
    Refusal refused = intents.guardEpoch(request.epoch);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    Intent lock = intents.of(request.primary.column(), request.start);
    if (lock == null) {
      long commit = CommitRecords.committedAt(rows, row, request.primary.column(), request.start);
      if (commit != 0) {
        return new PercolatorAnswer.Committed(commit);
      }
      return request.start < rows.watermark()
          ? PercolatorAnswer.FORGOTTEN
          : PercolatorAnswer.ROLLED_BACK;
    }
    if (!lock.undecided()) {
      return PercolatorAnswer.ROLLED_BACK;
    }
    CommitRow.rollForward(rows, row, intents, request.start, request.commit);
    if (request.weak) {
      CommitRow.confirmWeak(rows, row, request.start);
    }
    return new PercolatorAnswer.Committed(request.commit);
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(CommitPrimary::encode, CommitPrimary::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(96);
    request.primary.encode(to);
    return to.varint(request.epoch)
        .varint(request.start)
        .varint(request.commit)
        .bool(request.weak)
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        Primaries.decode(from), from.varint(), from.varint(), from.varint(), from.bool());
  }
}
