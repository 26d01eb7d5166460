package io.braid.observers.rows;

import io.braid.core.cells.Families;
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
import org.apiguardian.api.API;

/**
 * Writes a dead letter. The record it writes is also what makes the change count as dealt with: no
 * instant lies between the two. A run of the same observer that commits at the same time wins: then
 * there is nothing to write.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class WriteDeadLetter implements Procedure<WriteDeadLetter.Request, GuardedAnswer> {
  public static final WriteDeadLetter INSTANCE = new WriteDeadLetter();

  private static final Codec<Request> REQUEST = Codecs.of(Request::encode, Request::decode);

  /**
   * The dead letter to write.
   *
   * @param epoch the epoch of the table as the caller knows it
   */
  public record Request(long epoch, boolean weak, DeadLetter change) {
    private Bytes encode() {
      Encoder to = new Encoder().varint(epoch).bool(weak).text(change.observer());
      return to.row(change.row()).column(change.column()).raw(change.encode()).finish();
    }

    private static Request decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      long epoch = from.varint();
      boolean weak = from.bool();
      String observer = from.text();
      Row row = from.row();
      Cell cell =
          new Cell(Families.deadLetter(observer, from.column()), DeadLetter.VERSION, from.rest());
      return new Request(epoch, weak, DeadLetter.decode(row, cell));
    }
  }

  @Override
  public String name() {
    return "observers.park-change"; // stores know it by this older word
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.change.row());
  }

  @Override
  public long highest(Request request) {
    return request.change.upTo();
  }

  @Override
  public GuardedAnswer run(RowAccess rows, Request request) {
    DeadLetter change = request.change;
    Row row = change.row();
    List<Cell> intents = rows.family(row, Families.INTENT, Bytes.EMPTY);
    Refusal refusal = WriteGuard.checkEpoch(rows, row, request.epoch);
    if (refusal != null) {
      return GuardedAnswer.refused(refusal);
    }
    if (change.upTo() < rows.birth(row.table())) {
      return GuardedAnswer.NOTHING_TO_DO; // it failed in a table that was dropped
    }
    Cell before = rows.at(row, change.cell(), DeadLetter.VERSION);
    if (before != null) {
      DeadLetter earlier = DeadLetter.decode(row, before);
      if (earlier.upTo() >= change.upTo()) {
        return GuardedAnswer.DONE;
      }
      change = change.after(earlier);
    }
    if (!request.weak && isDealtWith(rows, intents, change)) {
      return GuardedAnswer.NOTHING_TO_DO;
    }
    rows.put(row, change.cell(), DeadLetter.VERSION, change.encode());
    return GuardedAnswer.DONE;
  }

  /** By a run that has committed, or may be about to. */
  private static boolean isDealtWith(RowAccess rows, List<Cell> intents, DeadLetter change) {
    return Acknowledgments.isBeingWritten(
            intents, Families.acknowledgment(change.observer(), change.column()))
        || Acknowledgments.isUpToDate(rows, change.row(), change.column(), change.observer());
  }

  @Override
  public Codec<Request> argumentCodec() {
    return REQUEST;
  }

  @Override
  public Codec<GuardedAnswer> resultCodec() {
    return GuardedAnswer.CODEC;
  }
}
