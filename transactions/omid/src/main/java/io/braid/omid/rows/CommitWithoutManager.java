package io.braid.omid.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.CommitEntry;
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
public final class CommitWithoutManager
    implements Procedure<CommitWithoutManager.Request, OmidAnswer> {
  public static final CommitWithoutManager INSTANCE = new CommitWithoutManager();

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

  private CommitWithoutManager() {}

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
  public OmidAnswer run(RowAccess rows, Request request) {
    List<OmidAnswer.Collision> collisions = new ArrayList<>(0);
    for (RowMutation mutation : request.mutations) {
      OmidAnswer end = check(rows, request, mutation, collisions);
      if (end != null) {
        return end;
      }
    }
    // Checked before the collisions: the record of an earlier call may have been collected.
    Refusal tooOld = WriteGuard.checkStart(rows, rows(request), request.start);
    if (tooOld != null) {
      return new OmidAnswer.Refused(tooOld);
    }
    if (!collisions.isEmpty()) {
      return new OmidAnswer.Colliding(collisions);
    }
    long commit = rows.clock().next(request.start);
    if (commit == TabletClock.EXHAUSTED) {
      return OmidAnswer.EXHAUSTED;
    }
    Supplier<CommitEntry> strong = () -> CommitEntries.of(request.start);
    Supplier<CommitEntry> weak = () -> new CommitEntry(CommitEntries.TABLE, request.entry);
    for (RowMutation mutation : request.mutations) {
      CommitRecords.put(rows, mutation, request.start, commit, strong, weak);
    }
    return new OmidAnswer.Committed(commit);
  }

  /** Adds the collisions of a row; returns an answer if it ends the call, else null. */
  private static @Nullable OmidAnswer check(
      RowAccess rows,
      Request request,
      RowMutation mutation,
      List<OmidAnswer.Collision> collisions) {
    Row row = mutation.row();
    long start = request.start;
    RowIntents intents = RowIntents.of(rows, row);
    if (mutation == request.mutations.get(0) && isEnded(rows, intents, request)) {
      return OmidAnswer.ENDED;
    }
    for (CellWrite cell : mutation.cells()) {
      if (intents.of(cell.column(), start, CommitEntries.of(start)) != null) {
        return OmidAnswer.ENDED;
      }
      long newer = CommitRecords.newerThan(rows, row, cell.column(), start);
      if (newer != 0) {
        long ours = CommitRecords.committedAt(rows, row, cell.column(), start);
        if (ours != 0) {
          return new OmidAnswer.Committed(ours);
        }
        collisions.add(new OmidAnswer.Collision(row, cell.column(), newer, false));
        continue;
      }
      RowIntents.ForeignIntent foreign = intents.foreign(cell.column(), start);
      if (foreign != null) {
        collisions.add(new OmidAnswer.Collision(row, cell.column(), foreign.start(), true));
      }
    }
    Refusal refusal = intents.guard(mutation);
    return refusal == null ? null : new OmidAnswer.Refused(refusal);
  }

  private static boolean isEnded(RowAccess rows, RowIntents intents, Request request) {
    RowMutation first = request.mutations.get(0);
    ColumnName witness = first.cells().get(0).column();
    return new FastTraces(rows, intents, first.row(), witness, request.start, request.start)
        .isRefused();
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(CommitWithoutManager::encode, CommitWithoutManager::decode);
  }

  @Override
  public Codec<OmidAnswer> resultCodec() {
    return OmidAnswer.CODEC;
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
