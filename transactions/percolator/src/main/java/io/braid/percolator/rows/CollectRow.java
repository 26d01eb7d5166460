package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes from a row the cells that no snapshot at or above a horizon can need: {@link Garbage}
 * with its large values, and rollback marks. Intents of undecided transactions, and everything
 * above the horizon, stay as they are.
 *
 * <p>To be called only when
 *
 * <ul>
 *   <li>the low watermark of the store is at or above the horizon: so no transaction begun below it
 *       prewrites or commits in one phase any more, whatever it might have conflicted with, and no
 *       late prewrite needs a mark to be refused;
 *   <li>and thereafter no intent of a transaction begun below the horizon was left anywhere: so no
 *       transaction asks a primary any more whose record is removed here.
 * </ul>
 *
 * <p>Answers Finished or Refused.
 */
public final class CollectRow implements Procedure<CollectRow.Request, PercolatorAnswer> {
  public static final CollectRow INSTANCE = new CollectRow();

  /**
   * The columns to look through.
   *
   * @param epoch the epoch of the table now
   * @param columns those that have garbage
   * @param deadLetters whether the table has a family for dead letters
   */
  public record Request(
      Row row, long epoch, long horizon, List<Part> columns, boolean deadLetters) {
    public Request {
      columns = List.copyOf(columns);
    }
  }

  /**
   * A column, or the newer part of one that has very many versions.
   *
   * @param from look at no older version than this; 0 for all
   */
  public record Part(ColumnName column, long from) {}

  private CollectRow() {}

  @Override
  public String name() {
    return "percolator.collect-row";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return request.horizon;
  }

  @Override
  public PercolatorAnswer run(RowAccess rows, Request request) {
    RowIntents intents = RowIntents.of(rows, request.row);
    Refusal refused = intents.guardEpoch(request.epoch);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    if (rows.watermark() < request.horizon) {
      throw new IllegalStateException(
          "Nothing is collected above the low watermark " + rows.watermark() + ".");
    }
    intents.removeMarks(request.horizon);
    Set<ColumnName> awaited = awaited(rows, request);
    boolean logged = rows.has(request.row, Families.CHANGES);
    for (Part part : request.columns) {
      if (logged && isMarked(rows, request, part.column)) {
        continue;
      }
      List<Cell> records =
          rows.versions(request.row, part.column, part.from, request.horizon, Integer.MAX_VALUE);
      Garbage garbage =
          part.column.family().equals(Families.ACK)
              ? Garbage.ofAcknowledgment(request.row, records, isOver(rows, request, part, awaited))
              : Garbage.of(request.row, records, part.from == 0, awaited.contains(part.column));
      for (Garbage.Version version : garbage.versions()) {
        rows.delete(request.row, part.column, version.cell().version());
        if (version.kind() == CommitRecord.Kind.PUT_LARGE) {
          rows.delete(request.row, Families.large(part.column), version.start());
        }
      }
    }
    return PercolatorAnswer.FINISHED;
  }

  /**
   * Whether the change log has yet to take over a commit of the column: then the whole column
   * stays.
   */
  private static boolean isMarked(RowAccess rows, Request request, ColumnName column) {
    return !rows.versions(request.row, Families.change(column), 0, request.horizon, 1).isEmpty();
  }

  /**
   * Whether an acknowledgment has no use any more: the column has no records that an observer could
   * see again. Records put there later lie above the horizon, and so above everything that was
   * acknowledged below it. Other cells there say what a group that holds the row has shipped. They
   * mean nothing once no group holds the row.
   */
  private static boolean isOver(
      RowAccess rows, Request request, Part acknowledgment, Set<ColumnName> awaited) {
    if (!Families.isAcknowledgment(acknowledgment.column)) {
      return rows.newest(request.row, Families.hold(), Long.MAX_VALUE) == null;
    }
    ColumnName observed = Families.observedColumn(acknowledgment.column);
    return !awaited.contains(observed)
        && rows.newest(request.row, observed, Long.MAX_VALUE) == null;
  }

  /** The columns that an observer has yet to see, or may be made to see by a replay. */
  private static Set<ColumnName> awaited(RowAccess rows, Request request) {
    List<Cell> notifications = rows.family(request.row, Families.NOTIFY, Bytes.EMPTY);
    List<Cell> letters =
        request.deadLetters
            ? rows.family(request.row, Families.DEAD_LETTERS, Bytes.EMPTY)
            : List.of();
    if (notifications.isEmpty() && letters.isEmpty()) {
      return Set.of();
    }
    Set<ColumnName> awaited = new HashSet<>();
    notifications.forEach(cell -> awaited.add(Families.column(cell.column().qualifier())));
    letters.forEach(cell -> awaited.add(Families.observedColumn(cell.column())));
    return awaited;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(CollectRow::encode, CollectRow::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(96).row(request.row).varint(request.epoch).varint(request.horizon);
    Lists.encode(to, request.columns, (part, out) -> out.column(part.column).varint(part.from));
    return to.bool(request.deadLetters).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        from.row(),
        from.varint(),
        from.varint(),
        Lists.decode(from, part -> new Part(part.column(), part.varint())),
        from.bool());
  }
}
