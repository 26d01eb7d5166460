package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowIntents.OwnIntent;
import io.braid.core.cells.WriteGuard.Refusal;
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
import org.jspecify.annotations.Nullable;

/**
 * Asks the primary for the outcome of its transaction. If the asker has judged the owner dead or
 * stuck, decides the outcome (Percolator, section 2.2: cleanup and commit both modify the primary
 * under the row's lock, so only one of them succeeds).
 *
 * <p>The asker's judgement is the wall time that it saw in the lock: a lock that was refreshed
 * since is left alone. A rollback leaves a mark in the place of the lock, so that a prewrite or a
 * one-phase commit that is still on its way is refused.
 *
 * <p>If the cell holds an intent of the transaction with another primary, the answer is Forgotten:
 * the asker does not have the name from an intent.
 *
 * <p>Answers Committed, RolledBack, Undecided, Missing, Forgotten or Refused.
 */
public final class ResolvePrimary implements Procedure<ResolvePrimary.Request, PercolatorAnswer> {
  public static final ResolvePrimary INSTANCE = new ResolvePrimary();

  /** Rolls back no lock: only asks. */
  public static final long NEVER = -1;

  /** Rolls back every undecided transaction. */
  public static final long ALWAYS = Long.MAX_VALUE;

  /**
   * The transaction in question and the asker's judgement.
   *
   * @param epoch the epoch of the primary's table now
   * @param rollBackUpTo roll the lock back if its wall time is this or older
   * @param rollBackMissing put a mark if there is neither a lock nor a mark nor a record
   */
  public record Request(
      PrimaryCell primary, long epoch, long start, long rollBackUpTo, boolean rollBackMissing) {}

  private ResolvePrimary() {}

  @Override
  public String name() {
    return "percolator.resolve-primary";
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
    Intent lock = intents.of(column, request.start);
    if (lock != null && !lock.decision().equals(request.primary)) {
      // This cell is not the primary of that transaction: it decides and knows nothing.
      return PercolatorAnswer.FORGOTTEN;
    }
    if (lock == null) {
      long commit = CommitRecords.committedAt(rows, row, column, request.start);
      if (commit != 0) {
        return new PercolatorAnswer.Committed(commit);
      }
      if (request.start < rows.watermark()) {
        return PercolatorAnswer.FORGOTTEN;
      }
      if (!request.rollBackMissing) {
        return PercolatorAnswer.MISSING;
      }
    } else if (!lock.undecided()) {
      return PercolatorAnswer.ROLLED_BACK;
    } else if (lock.wallMillis() > request.rollBackUpTo) {
      return PercolatorAnswer.Undecided.of(lock);
    }
    // The answers above are facts; only the code below writes. A hold does not stop it: a mark that
    // keeps a transaction out for ever takes nothing from the group.
    Refusal refused = intents.guardEpoch(request.epoch);
    if (refused instanceof Refusal.StaleEpoch) {
      return new PercolatorAnswer.Refused(refused);
    }
    if (lock != null) {
      RollbackRow.removeTraces(rows, row, new OwnIntent(column, lock), request.start);
    }
    mark(rows, request, lock);
    return PercolatorAnswer.ROLLED_BACK;
  }

  private static void mark(RowAccess rows, Request request, @Nullable Intent lock) {
    Intent mark =
        new Intent(
            Intent.Kind.ROLLED_BACK,
            request.primary,
            lock == null ? "" : lock.owner(),
            lock == null ? 0 : lock.wallMillis(),
            Bytes.EMPTY);
    rows.put(
        request.primary.row(),
        Families.intent(request.primary.column()),
        request.start,
        mark.encode());
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(ResolvePrimary::encode, ResolvePrimary::decode);
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
        .int64(request.rollBackUpTo)
        .bool(request.rollBackMissing)
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        Primaries.decode(from), from.varint(), from.varint(), from.int64(), from.bool());
  }
}
