package io.braid.percolator;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions.Pin;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.rows.SetPin;
import java.util.ArrayList;
import java.util.List;

/** Named snapshots that are kept, as rows {@code pin/NAME} of Braid's own table. */
final class Pins {
  private static final Bytes PREFIX = Bytes.of("pin/");
  private static final int LONGEST_NAME = 256;

  private final CellStore store;
  private final PercolatorContext around;

  Pins(PercolatorContext around) {
    this.store = around.store();
    this.around = around;
  }

  Pin pin(String name, long timestamp) {
    Row row = row(name);
    store.ensureTable(Families.system());
    long pinned = set(new SetPin.Request(row, timestamp, false, around.oracle().next()));
    if (pinned == 0) {
      throw new TabletUnavailableException(
          "Pin '" + name + "' was removed by another process at the same time: set it again.");
    }
    if (pinned != timestamp) {
      throw new TransactionException(
          ErrorCode.PIN_EXISTS, "Pin '" + name + "' is at " + pinned + " already: unpin it first.");
    }
    return new Pin(name, timestamp);
  }

  boolean unpin(String name) {
    Row row = row(name);
    if (store.table(Families.SYSTEM_TABLE).isEmpty()) {
      return false;
    }
    List<Cell> cells = store.read(RowRead.of(row, Selection.column(SetPin.COLUMN))).cells();
    return !cells.isEmpty()
        && set(
                new SetPin.Request(
                    row, cells.get(0).value().longAt(0), true, around.oracle().next()))
            == 0;
  }

  List<Pin> pins() {
    List<Pin> pins = new ArrayList<>();
    if (store.table(Families.SYSTEM_TABLE).isEmpty()) {
      return pins;
    }
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE, KeyRange.prefix(PREFIX), Selection.column(SetPin.COLUMN));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        Cell cell = row.cells().get(0);
        String name = row.row().key().slice(PREFIX.length()).toUtf8();
        pins.add(new Pin(name, cell.value().longAt(0)));
      }
    }
    return pins;
  }

  private long set(SetPin.Request request) {
    String last = "";
    for (int attempt = 0; attempt < around.storeAttempts(); attempt++) {
      Outcome<Long> outcome = around.trips().execute(SetPin.INSTANCE, request, Durability.SYNCED);
      if (outcome instanceof Outcome.Done<Long> done) {
        return done.result();
      }
      last = outcome.toString();
    }
    throw new TabletUnavailableException(
        request.row() + " may or may not have changed; list the pins, then try again. " + last);
  }

  private static Row row(String name) {
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name for a pin: use 1 to " + LONGEST_NAME + " characters.");
    }
    return Row.of(Families.SYSTEM_TABLE, PREFIX.concat(Bytes.of(name)));
  }
}
