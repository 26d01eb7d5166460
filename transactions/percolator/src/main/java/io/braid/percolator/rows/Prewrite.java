package io.braid.percolator.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.cells.WriteStage;
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
import org.jspecify.annotations.Nullable;

/**
 * Locks the cells of a row for a transaction (Percolator, figure 6, lines 27 to 39): all of them or
 * none.
 *
 * <p>A transaction that outgrows the memory calls it several times for a row, in rounds: a write of
 * a later round replaces the intent of an earlier one. A round is placed in a row as a whole, and
 * the next begins when all of it is answered. So a call that finds an intent of its own round, or
 * of a later one, is repeated or late, and changes nothing.
 *
 * <p>Answers Prewritten, Colliding or Refused. A late or repeated call locks nothing again, and may
 * answer RolledBack or Committed.
 */
public final class Prewrite implements Procedure<Prewrite.Request, PercolatorAnswer> {
  public static final Prewrite INSTANCE = new Prewrite();

  /**
   * The writes of a transaction in a row.
   *
   * @param owner the liveness token of the writer
   * @param wallMillis the writer's clock, milliseconds since 1970
   * @param stage the round that the writes belong to
   */
  public record Request(
      RowMutation mutation,
      long start,
      PrimaryCell primary,
      String owner,
      long wallMillis,
      WriteStage stage) {
    public Request(
        RowMutation mutation, long start, PrimaryCell primary, String owner, long wallMillis) {
      this(mutation, start, primary, owner, wallMillis, WriteStage.ONLY);
    }
  }

  private Prewrite() {}

  @Override
  public String name() {
    return "percolator.prewrite";
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
  public PercolatorAnswer run(RowAccess rows, Request request) {
    RowMutation mutation = request.mutation;
    RowIntents intents = RowIntents.of(rows, mutation.row());
    Refusal refused = intents.guardIntents(mutation);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    boolean anew = mutation.cells().isEmpty();
    boolean repeated = false;
    List<Collision> collisions = new ArrayList<>(0);
    for (CellWrite cell : mutation.cells()) {
      Intent own = intents.of(cell.column(), request.start, request.primary);
      if (own != null && !own.undecided()) {
        return PercolatorAnswer.ROLLED_BACK;
      }
      if (own != null) {
        repeated |= own.stage().round() >= request.stage.round();
        continue;
      }
      anew = true;
      PercolatorAnswer committed =
          OnePhaseCommit.collide(
              rows, mutation.row(), intents, cell.column(), request.start, collisions);
      if (committed != null) {
        return committed;
      }
    }
    if (!collisions.isEmpty()) {
      return new PercolatorAnswer.Colliding(collisions);
    }
    if (repeated) {
      return PercolatorAnswer.PREWRITTEN;
    }
    Refusal tooOld = anew ? WriteGuard.checkStart(rows, mutation.row(), request.start) : null;
    if (tooOld != null) {
      return new PercolatorAnswer.Refused(tooOld);
    }
    write(rows, request, intents);
    return PercolatorAnswer.PREWRITTEN;
  }

  private static void write(RowAccess rows, Request request, RowIntents intents) {
    Row row = request.mutation.row();
    for (CellWrite cell : request.mutation.cells()) {
      Intent before = intents.of(cell.column(), request.start, request.primary);
      if (before != null && cell.kind() == Intent.Kind.LOCK) {
        // The intent that is there conflicts with the same transactions.
        continue;
      }
      if (cell.isLarge()) {
        rows.put(row, Families.large(cell.column()), request.start, cell.value());
      } else if (before != null && before.kind() == Intent.Kind.PUT_LARGE) {
        rows.delete(row, Families.large(cell.column()), request.start);
      }
      rows.put(row, Families.intent(cell.column()), request.start, intent(request, cell, before));
      if (cell.observed()) {
        new Notification(Notification.Kind.STRONG, request.primary)
            .put(rows, row, cell.column(), request.start);
      }
    }
    if (!request.mutation.weak().isEmpty()) {
      new Notification(Notification.Kind.WEAK_PENDING, request.primary)
          .putAbsent(rows, row, request.mutation.weak(), request.start);
    }
  }

  private static Bytes intent(Request request, CellWrite cell, @Nullable Intent before) {
    long wallMillis = before == null ? 0 : before.wallMillis();
    return new Intent(
            cell.kind(),
            request.primary,
            request.owner,
            Math.max(wallMillis, request.wallMillis),
            request.stage,
            cell.inline())
        .encode();
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(Prewrite::encode, Prewrite::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(256);
    request.mutation.encode(to);
    to.varint(request.start);
    request.primary.encode(to);
    to.text(request.owner).varint(request.wallMillis);
    request.stage.encode(to);
    return to.finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        RowMutation.decode(from),
        from.varint(),
        Primaries.decode(from),
        from.text(),
        from.varint(),
        WriteStage.decode(from));
  }
}
