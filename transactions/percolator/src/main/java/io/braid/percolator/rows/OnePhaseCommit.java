package io.braid.percolator.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
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
public final class OnePhaseCommit implements Procedure<OnePhaseCommit.Request, Answer> {
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
  public Answer run(RowAccess rows, Request request) {
    List<Collision> collisions = new ArrayList<>(0);
    for (RowMutation mutation : request.mutations) {
      Answer end = check(rows, request, mutation, collisions);
      if (end != null) {
        return end;
      }
    }
    // Checked before the collisions. Below the watermark, the record of an earlier call of this
    // commit may be gone. So a newer record does not prove that there was none.
    Refusal tooOld = WriteGuard.checkStart(rows, rows(request), request.start);
    if (tooOld != null) {
      return new Answer.Refused(tooOld);
    }
    if (!collisions.isEmpty()) {
      return new Answer.Colliding(collisions);
    }
    long commit = rows.clock().next(request.start);
    if (commit == TabletClock.EXHAUSTED) {
      return Answer.EXHAUSTED;
    }
    for (RowMutation mutation : request.mutations) {
      write(rows, request, mutation, commit);
    }
    return new Answer.Committed(commit);
  }

  /** Adds the collisions of a row; returns an answer if it ends the call, else null. */
  private static @Nullable Answer check(
      RowAccess rows, Request request, RowMutation mutation, List<Collision> collisions) {
    RowLocks intents = RowLocks.of(rows, mutation.row());
    Answer refused = intents.guard(mutation);
    if (refused != null) {
      return refused;
    }
    for (CellWrite cell : mutation.cells()) {
      Intent own = intents.of(cell.column(), request.start, request.primary);
      if (own != null) {
        return own.undecided() ? Answer.Undecided.of(own) : Answer.ROLLED_BACK;
      }
      long newer = CommitRecords.newerThan(rows, mutation.row(), cell.column(), request.start);
      if (newer != 0) {
        long ours = CommitRecords.committedAt(rows, mutation.row(), cell.column(), request.start);
        if (ours != 0) {
          return new Answer.Committed(ours);
        }
        collisions.add(Collision.newer(mutation.row(), cell.column(), newer));
        continue;
      }
      ForeignIntent foreign = intents.foreign(cell.column(), request.start);
      if (foreign != null) {
        collisions.add(Collision.locked(mutation.row(), foreign));
      }
    }
    return null;
  }

  private static void write(RowAccess rows, Request request, RowMutation mutation, long commit) {
    Row row = mutation.row();
    for (CellWrite cell : mutation.cells()) {
      CommitRecords.put(rows, row, cell, request.start, commit);
      if (cell.observed()) {
        new Notification(Notification.Kind.STRONG, request.primary)
            .put(rows, row, cell.column(), request.start);
      }
    }
    for (ColumnName column : mutation.weak()) {
      new Notification(Notification.Kind.WEAK, request.primary)
          .put(rows, row, column, request.start);
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(OnePhaseCommit::encode, OnePhaseCommit::decode);
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Answer.CODEC;
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
