package io.braid.percolator.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TabletClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prewrites and commits in one step, for rows that one procedure reaches. No intent is ever
 * written. The commit timestamp is drawn from the tablet clock, above every snapshot that was
 * served there and below all future timestamps of the oracle. So no reader can have missed the
 * commit.
 *
 * <p>The primary cell decides here too. A repeated call finds the primary's commit record with the
 * start timestamp, and so is known to be done. A rollback mark there refuses a late call; any
 * process that asks for the outcome may put this mark.
 *
 * <p>Answers Committed, Colliding, RolledBack, Exhausted, Refused, or Undecided when the
 * transaction is being committed in two phases already.
 */
public final class OnePhaseCommit implements Procedure<OnePhaseCommit.Request, PercolatorAnswer> {
  public static final OnePhaseCommit INSTANCE = new OnePhaseCommit();

  /** A whole transaction. */
  public record Request(List<RowMutation> mutations, long start, PrimaryCell primary) {
    public Request {
      mutations = List.copyOf(mutations);
    }
  }

  private OnePhaseCommit() {}

  @Override
  public String name() {
    return "percolator.one-phase-commit";
  }

  @Override
  public List<Row> rows(Request request) {
    return RowMutation.rows(request.mutations);
  }

  @Override
  public long highest(Request request) {
    return request.start;
  }

  @Override
  public PercolatorAnswer run(RowAccess rows, Request request) {
    List<Collision> collisions = new ArrayList<>(0);
    for (RowMutation mutation : request.mutations) {
      PercolatorAnswer end = check(rows, request, mutation, collisions);
      if (end != null) {
        return end;
      }
    }
    // Checked before the collisions. Below the watermark, the record of an earlier call of this
    // commit may be gone. So a newer record does not prove that there was none.
    Refusal tooOld = WriteGuard.checkStart(rows, rows(request), request.start);
    if (tooOld != null) {
      return new PercolatorAnswer.Refused(tooOld);
    }
    if (!collisions.isEmpty()) {
      return new PercolatorAnswer.Colliding(collisions);
    }
    long commit = rows.clock().next(request.start);
    if (commit == TabletClock.EXHAUSTED) {
      return PercolatorAnswer.EXHAUSTED;
    }
    Supplier<PrimaryCell> primary = request::primary;
    for (RowMutation mutation : request.mutations) {
      CommitRecords.put(rows, mutation, request.start, commit, primary, primary);
    }
    return new PercolatorAnswer.Committed(commit);
  }

  /** Adds the collisions of a row; returns an answer if it ends the call, else null. */
  private static @Nullable PercolatorAnswer check(
      RowAccess rows, Request request, RowMutation mutation, List<Collision> collisions) {
    RowIntents intents = RowIntents.of(rows, mutation.row());
    Refusal refused = intents.guard(mutation);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    for (CellWrite cell : mutation.cells()) {
      Intent own = intents.of(cell.column(), request.start, request.primary);
      if (own != null) {
        return own.undecided() ? PercolatorAnswer.Undecided.of(own) : PercolatorAnswer.ROLLED_BACK;
      }
      PercolatorAnswer committed =
          collide(rows, mutation.row(), intents, cell.column(), request.start, collisions);
      if (committed != null) {
        return committed;
      }
    }
    return null;
  }

  /**
   * Adds the collisions of a column that a transaction is to write; answers Committed if it is
   * itself committed there.
   */
  static @Nullable PercolatorAnswer collide(
      RowAccess rows,
      Row row,
      RowIntents intents,
      ColumnName column,
      long start,
      List<Collision> collisions) {
    // Abort on writes after our start timestamp ...
    long newer = CommitRecords.newerThan(rows, row, column, start);
    if (newer != 0) {
      long ours = CommitRecords.committedAt(rows, row, column, start);
      if (ours != 0) {
        return new PercolatorAnswer.Committed(ours);
      }
      collisions.add(Collision.newer(row, column, newer));
      return null;
    }
    // ... or locks at any timestamp.
    RowIntents.ForeignIntent lock = intents.foreign(column, start);
    if (lock != null) {
      ForeignIntent foreign = ForeignIntent.of(column, lock.start(), lock.intent());
      collisions.add(Collision.locked(row, foreign));
    }
    return null;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(OnePhaseCommit::encode, OnePhaseCommit::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(256);
    Lists.encode(to, request.mutations, RowMutation::encode);
    to.varint(request.start);
    request.primary.encode(to);
    return to.finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        Lists.decode(from, RowMutation::decode), from.varint(), Primaries.decode(from));
  }
}
