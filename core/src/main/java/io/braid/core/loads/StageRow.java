package io.braid.core.loads;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Stages the cells of a record: intents whose decision point is the load's record. Other
 * transactions do not block staging. Staged cells do not block other transactions either, while the
 * table's epoch stays as it is. The commit of the load decides which write wins.
 */
public final class StageRow implements Procedure<StageRow.Request, StageRow.Answer> {
  public static final StageRow INSTANCE = new StageRow();

  private static final Kind[] KINDS = Kind.values();

  /**
   * The cells to stage.
   *
   * @param start the load's start timestamp
   */
  public record Request(RowMutation mutation, String load, long start) {}

  /** The result of staging. */
  public enum Kind {
    STAGED,
    /** The cell already contains another value of this load. */
    OTHER_VALUE,
    /** The table has another epoch: look at the load's record before trying again. */
    STALE_EPOCH,
    /** A key group owns the row. */
    HELD,
    /** The load began below the low watermark, or before the table was created. */
    TOO_OLD
  }

  /**
   * The answer.
   *
   * @param newer how many of the cells have been written by others since the load began
   * @param detail the group of HELD; empty otherwise
   */
  public record Answer(Kind kind, int newer, String detail) {}

  private StageRow() {}

  @Override
  public String name() {
    return "loads.stage-row";
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
  public Answer run(RowAccess rows, Request request) {
    RowMutation mutation = request.mutation;
    Row row = mutation.row();
    RowIntents intents = RowIntents.of(rows, row);
    Refusal refusal = intents.guard(mutation);
    if (refusal instanceof Refusal.Held held) {
      return new Answer(Kind.HELD, 0, held.group());
    }
    if (refusal != null) {
      return new Answer(Kind.STALE_EPOCH, 0, "");
    }
    if (WriteGuard.checkStart(rows, row, request.start) != null) {
      return new Answer(Kind.TOO_OLD, 0, "");
    }
    int newer = 0;
    for (CellWrite cell : mutation.cells()) {
      Intent own = intents.of(cell.column(), request.start, new LoadRecord(request.load));
      if (own != null && !same(rows, request, cell, own)) {
        return new Answer(Kind.OTHER_VALUE, 0, cell.column().toString());
      }
      if (CommitRecords.newerThan(rows, row, cell.column(), request.start) != 0) {
        newer++;
      }
    }
    mutation.cells().forEach(cell -> stage(rows, request, cell));
    return new Answer(Kind.STAGED, newer, "");
  }

  private static boolean same(RowAccess rows, Request request, CellWrite cell, Intent own) {
    if (own.kind() != cell.kind() || !own.value().equals(cell.inline())) {
      return false;
    }
    if (!cell.isLarge()) {
      return true;
    }
    Cell large = rows.at(request.mutation.row(), Families.large(cell.column()), request.start);
    return large != null && large.value().equals(cell.value());
  }

  private static void stage(RowAccess rows, Request request, CellWrite cell) {
    Row row = request.mutation.row();
    if (cell.isLarge()) {
      rows.put(row, Families.large(cell.column()), request.start, cell.value());
    }
    Intent intent =
        LoadIntents.of(
            new DecisionPoint.LoadRecord(request.load),
            cell.kind(),
            cell.inline(),
            cell.observed(),
            request.mutation.epoch());
    rows.put(row, Families.intent(cell.column()), request.start, intent.encode());
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(StageRow::encode, StageRow::decode);
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Codecs.of(
        answer ->
            new Encoder()
                .u8(answer.kind.ordinal())
                .varint(answer.newer)
                .text(answer.detail)
                .finish(),
        bytes -> {
          Decoder from = new Decoder(bytes);
          int kind = from.u8();
          if (kind >= KINDS.length) {
            throw new IllegalArgumentException("No answer is of kind " + kind + ".");
          }
          return new Answer(KINDS[kind], (int) from.varint(), from.text());
        });
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(128);
    request.mutation.encode(to);
    return to.text(request.load).varint(request.start).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(RowMutation.decode(from), from.text(), from.varint());
  }
}
