package io.braid.omid.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.Notification;
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
import org.jspecify.annotations.Nullable;

/**
 * The whole commit of a transaction whose rows one procedure reaches. It does for all rows that lie
 * together what the fast path does for one row (algorithm 4: {@code putVersion}). It has no
 * tentative cells, no entry in the commit table and no post-commit. The manager is not asked:
 * nothing happens between the search for conflicts and the commit.
 *
 * <p>Its conflicts are the commits above the start timestamp. The manager has to judge tentative
 * cells of others, so these send the transaction the regular way. A transaction that writes a
 * tentative cell after this commit finds its record above, as it finds those of fast writes ({@link
 * WriteTentative}; figure 3).
 *
 * <p>A copy of a call may arrive at any time. It finds the record or a tentative cell of the
 * transaction, or the mark that {@link EndFastWrite} has left, and does nothing.
 *
 * <p>Answers Committed, Colliding, Exhausted, Refused; Ended when it was ended before, or is being
 * committed the regular way.
 */
public final class OnePhaseCommit implements Procedure<OnePhaseCommit.Request, Answer> {
  public static final OnePhaseCommit INSTANCE = new OnePhaseCommit();

  /**
   * A whole transaction.
   *
   * @param mutations the first has cells
   * @param entry the decision point of weak notifications: {@link CommitEntries#keyWithWitness
   *     CommitEntries.keyWithWitness}; empty if there are no weak notifications
   */
  public record Request(List<RowMutation> mutations, long start, Bytes entry) {
    public Request {
      mutations = List.copyOf(mutations);
    }
  }

  private OnePhaseCommit() {}

  @Override
  public String name() {
    return "omid.one-phase-commit";
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
    List<Answer.Collision> collisions = new ArrayList<>(0);
    for (RowMutation mutation : request.mutations) {
      Answer end = check(rows, request, mutation, collisions);
      if (end != null) {
        return end;
      }
    }
    // Checked before the collisions: the record of an earlier call may have been collected.
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
      RowAccess rows, Request request, RowMutation mutation, List<Answer.Collision> collisions) {
    Row row = mutation.row();
    long start = request.start;
    RowIntents intents = RowIntents.of(rows, row);
    if (mutation == request.mutations.get(0) && isEnded(rows, intents, request)) {
      return Answer.ENDED;
    }
    for (CellWrite cell : mutation.cells()) {
      if (intents.of(cell.column(), start, CommitEntries.of(start)) != null) {
        return Answer.ENDED;
      }
      long newer = CommitRecords.newerThan(rows, row, cell.column(), start);
      if (newer != 0) {
        long ours = CommitRecords.committedAt(rows, row, cell.column(), start);
        if (ours != 0) {
          return new Answer.Committed(ours);
        }
        collisions.add(new Answer.Collision(row, cell.column(), newer, false));
        continue;
      }
      RowIntents.Foreign foreign = intents.foreign(cell.column(), start);
      if (foreign != null) {
        collisions.add(new Answer.Collision(row, cell.column(), foreign.start(), true));
      }
    }
    Refusal refusal = intents.guard(mutation);
    return refusal == null ? null : new Answer.Refused(refusal);
  }

  private static boolean isEnded(RowAccess rows, RowIntents intents, Request request) {
    RowMutation first = request.mutations.get(0);
    ColumnName witness = first.cells().get(0).column();
    return new FastTraces(rows, intents, first.row(), witness, request.start, request.start)
        .isRefused();
  }

  private static void write(RowAccess rows, Request request, RowMutation mutation, long commit) {
    Row row = mutation.row();
    for (CellWrite cell : mutation.cells()) {
      CommitRecords.put(rows, row, cell, request.start, commit);
      if (cell.observed()) {
        new Notification(Notification.Kind.STRONG, CommitEntries.of(request.start))
            .put(rows, row, cell.column(), request.start);
      }
    }
    for (ColumnName column : mutation.weak()) {
      CommitEntry decision = new CommitEntry(CommitEntries.TABLE, request.entry);
      new Notification(Notification.Kind.WEAK, decision).put(rows, row, column, request.start);
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
    return to.varint(request.start).bytes(request.entry).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(Lists.decode(from, RowMutation::decode), from.varint(), from.bytes());
  }
}
