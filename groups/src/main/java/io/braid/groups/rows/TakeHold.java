package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.cells.WriteGuard;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A join at the row itself (section 5.1: test-and-set of the lock column). From then on no
 * transaction of others brings a value into the row. So transactions that have begun to do so must
 * be decided first, or the group would miss their commits. Locks that write no value are no
 * obstacle.
 *
 * <p>With a higher epoch it takes the hold over from an earlier leader of the same group.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TakeHold implements Procedure<TakeHold.Request, HoldResult> {
  public static final TakeHold INSTANCE = new TakeHold();

  /** Which row for which group. */
  public record Request(Row row, Hold hold) {}

  private TakeHold() {}

  @Override
  public String name() {
    return "groups.take-hold";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return request.hold.number();
  }

  @Override
  public HoldResult run(RowAccess rows, Request request) {
    Row row = request.row;
    Hold hold = request.hold;
    List<Cell> intents = rows.family(row, Families.INTENT, Bytes.EMPTY);
    Hold before = WriteGuard.hold(intents);
    if (before != null) {
      boolean ours = before.number() == hold.number() && before.epoch() <= hold.epoch();
      if (ours && before.epoch() < hold.epoch()) {
        rows.put(row, Families.hold(), hold.number(), hold.encode());
      }
      return ours ? HoldResult.JOINED : new HoldResult.HeldBy(before);
    }
    List<ColumnName> busy = new ArrayList<>(0);
    for (Cell cell : intents) {
      Intent intent = Intent.decode(cell.value());
      if (intent.undecided() && intent.kind() != Intent.Kind.LOCK) {
        busy.add(HoldResult.columnOf(cell.column()));
      }
    }
    if (!busy.isEmpty()) {
      return new HoldResult.Busy(busy);
    }
    rows.put(row, Families.hold(), hold.number(), hold.encode());
    return HoldResult.JOINED;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(TakeHold::encode, TakeHold::decode);
  }

  @Override
  public Codec<HoldResult> resultCodec() {
    return HoldResult.CODEC;
  }

  private static Bytes encode(Request request) {
    Hold hold = request.hold;
    return new Encoder(96)
        .row(request.row)
        .text(hold.group())
        .varint(hold.number())
        .varint(hold.epoch())
        .row(hold.leader())
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    Row row = from.row();
    return new Request(row, new Hold(from.text(), from.varint(), from.varint(), from.row()));
  }
}
