package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A new leader takes over the hold on a row if the group still has it; answers whether it has. A
 * free row is not taken again: while a group is deleted, rows are freed one by one. Later writes of
 * others to such a row are not in the group's log.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RaiseHold implements Procedure<TakeHold.Request, Boolean> {
  public static final RaiseHold INSTANCE = new RaiseHold();

  private RaiseHold() {}

  @Override
  public String name() {
    return "groups.raise-hold";
  }

  @Override
  public List<Row> rows(TakeHold.Request request) {
    return List.of(request.row());
  }

  @Override
  public long highest(TakeHold.Request request) {
    return request.hold().number();
  }

  @Override
  public Boolean run(RowAccess rows, TakeHold.Request request) {
    Hold hold = request.hold();
    Cell cell = rows.at(request.row(), Families.hold(), hold.number());
    if (cell == null) {
      return false;
    }
    long epoch = Hold.of(Intent.decode(cell.value())).epoch();
    if (epoch < hold.epoch()) {
      rows.put(request.row(), Families.hold(), hold.number(), hold.encode());
    }
    return epoch <= hold.epoch();
  }

  @Override
  public Codec<TakeHold.Request> argumentCodec() {
    return TakeHold.INSTANCE.argumentCodec();
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
