package io.braid.omid.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
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
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the tentative cells of a transaction in a row (algorithm 3: {@code WRITE}), at its start
 * timestamp, and its notifications with them, weak ones as pending. Tentative cells of others are
 * no obstacle: the transaction manager decides which transaction may commit.
 *
 * <p>A commit above the start timestamp is an obstacle. This check is an early search for conflicts
 * (algorithm 1, line 5). For versions of the fast path, which the manager does not know, it is the
 * only one (algorithm 4: {@code prePut}; figure 3).
 *
 * <p>The staged cell of a load is an obstacle too, if the load is being committed, or has been
 * committed and is not settled here.
 *
 * <p>Answers Done, Colliding, Refused, or Committed when the call is so late that the transaction
 * has been committed here.
 */
public final class WriteTentative implements Procedure<WriteTentative.Request, OmidAnswer> {
  public static final WriteTentative INSTANCE = new WriteTentative();

  /**
   * The writes of a transaction in a row.
   *
   * @param owner the liveness token of the writer
   * @param wallMillis the writer's clock, milliseconds since 1970
   * @param entry the decision point of weak notifications: {@link CommitEntries#keyWithWitness
   *     CommitEntries.keyWithWitness}. They can be decided after their entry is gone; empty if
   *     there are no weak notifications
   */
  public record Request(
      RowMutation mutation, long start, String owner, long wallMillis, Bytes entry) {

    /** The writes of a transaction that notifies nothing weakly in the row. */
    public Request(RowMutation mutation, long start, String owner, long wallMillis) {
      this(mutation, start, owner, wallMillis, Bytes.EMPTY);
    }
  }

  private WriteTentative() {}

  @Override
  public String name() {
    return "omid.write-tentative";
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
    RowMutation mutation = request.mutation;
    Row row = mutation.row();
    RowIntents intents = RowIntents.of(rows, row);
    Refusal refusal = intents.guardIntents(mutation);
    if (refusal != null) {
      return new OmidAnswer.Refused(refusal);
    }
    List<OmidAnswer.Collision> collisions = new ArrayList<>(0);
    for (CellWrite cell : mutation.cells()) {
      if (intents.of(cell.column(), request.start, CommitEntries.of(request.start)) != null) {
        return OmidAnswer.DONE;
      }
      long newer = CommitRecords.newerThan(rows, row, cell.column(), request.start);
      if (newer != 0) {
        long ours = CommitRecords.committedAt(rows, row, cell.column(), request.start);
        if (ours != 0) {
          return new OmidAnswer.Committed(ours);
        }
        collisions.add(new OmidAnswer.Collision(row, cell.column(), newer, false));
      }
      RowIntents.ForeignIntent load = intents.load(cell.column(), request.start);
      if (load != null) {
        collisions.add(new OmidAnswer.Collision(row, cell.column(), load.start(), true));
      }
    }
    if (!collisions.isEmpty()) {
      return new OmidAnswer.Colliding(collisions);
    }
    Refusal tooOld = WriteGuard.checkStart(rows, row, request.start);
    if (tooOld != null) {
      return new OmidAnswer.Refused(tooOld);
    }
    write(rows, request);
    return OmidAnswer.DONE;
  }

  private static void write(RowAccess rows, Request request) {
    Row row = request.mutation.row();
    long start = request.start;
    for (CellWrite cell : request.mutation.cells()) {
      if (cell.isLarge()) {
        rows.put(row, Families.large(cell.column()), start, cell.value());
      }
      Intent intent =
          new Intent(
              cell.kind(),
              CommitEntries.of(start),
              request.owner,
              request.wallMillis,
              cell.inline());
      rows.put(row, Families.intent(cell.column()), start, intent.encode());
      if (cell.observed()) {
        new Notification(Notification.Kind.STRONG, CommitEntries.of(start))
            .put(rows, row, cell.column(), start);
      }
    }
    if (!request.mutation.weak().isEmpty()) {
      CommitEntry decision = new CommitEntry(CommitEntries.TABLE, request.entry);
      new Notification(Notification.Kind.WEAK_PENDING, decision)
          .putAbsent(rows, row, request.mutation.weak(), start);
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(WriteTentative::encode, WriteTentative::decode);
  }

  @Override
  public Codec<OmidAnswer> resultCodec() {
    return OmidAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(256);
    request.mutation.encode(to);
    to.varint(request.start).text(request.owner).varint(request.wallMillis);
    return to.bytes(request.entry).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        RowMutation.decode(from), from.varint(), from.text(), from.varint(), from.bytes());
  }
}
