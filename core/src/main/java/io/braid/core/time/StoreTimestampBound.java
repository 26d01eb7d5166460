package io.braid.core.time;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The bound as one cell of Braid's own table, which has to exist.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class StoreTimestampBound implements TimestampBound {
  static final Row ROW = Row.of(Families.SYSTEM_TABLE, "oracle");
  static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "bound");
  static final ColumnName LEAD = ColumnName.of(Families.SYSTEM, "lead");
  static final long VERSION = 1;
  private static final int LEAD_VERSION = 1;

  private final CellStore store;

  public StoreTimestampBound(CellStore store) {
    this.store = store;
  }

  @Override
  public long read() {
    List<Cell> cells = store.read(RowRead.of(ROW, Selection.column(COLUMN))).cells();
    return cells.isEmpty() ? 0 : decode(cells.get(0).value());
  }

  @Override
  public boolean raise(long expected, long next) {
    Outcome<Boolean> outcome =
        store.execute(RaiseBound.INSTANCE, new RaiseBound.Step(expected, next), Durability.SYNCED);
    if (outcome instanceof Outcome.Done<Boolean> done) {
      return done.result();
    } else if (outcome instanceof Outcome.NotExecuted<Boolean> not) {
      throw new TabletUnavailableException(
          "The bound of the timestamps could not be raised: " + not.detail());
    }
    throw new StoreException("Whether the bound of the timestamps was raised is unknown.");
  }

  @Override
  public Lead lead() {
    List<Cell> cells = store.read(RowRead.of(ROW, Selection.column(LEAD))).cells();
    if (cells.isEmpty()) {
      return Lead.NONE;
    }
    Decoder from = new Decoder(cells.get(0).value());
    int version = from.u8();
    if (version != LEAD_VERSION) {
      throw new StoreException(
          "The lead of the timestamps has version " + version + ": use a newer release of Braid.");
    }
    return new Lead(from.int64(), from.int64());
  }

  @Override
  public void lead(Lead lead) {
    Bytes value = new Encoder().u8(LEAD_VERSION).int64(lead.from()).int64(lead.millis()).finish();
    RowWrite write = RowWrite.put(ROW, new Cell(LEAD, VERSION, value));
    Outcome<Void> outcome = store.write(List.of(write), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done)) {
      throw new StoreException("The lead of the timestamps was perhaps not kept: " + outcome + ".");
    }
  }

  static long decode(Bytes value) {
    if (value.length() != Long.BYTES) {
      throw new StoreException("The bound of the timestamps is damaged: " + value + ".");
    }
    return value.longAt(0);
  }
}
