package io.braid.groups.log;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.ReplaceCell;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far sealed logs are read, in the store. The first process that seals a log decides this, by
 * compare-and-set. No process reads entries that the writer adds later.
 */
final class Seals {
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "seal");
  private static final Row DATABASE = Row.of(Families.SYSTEM_TABLE, "group-logs");
  private static final long VERSION = 1;
  private static final int ID_BYTES = 16;

  private static final int ATTEMPTS = 8;

  private final CellStore store;
  private final Durability durability;
  private final Seams seams;

  Seals(CellStore store, Durability durability, Seams seams) {
    this.store = store;
    this.durability = durability;
    this.seams = seams;
  }

  /** The name of the folder that the logs of this database are in; it gets one if it has none. */
  String database() {
    while (true) {
      List<Cell> cells = store.read(RowRead.of(DATABASE, Selection.column(COLUMN))).cells();
      if (!cells.isEmpty()) {
        return cells.get(0).value().toHex();
      }
      byte[] id = new byte[ID_BYTES];
      seams.random().nextBytes(id);
      replace(DATABASE, Bytes.wrap(id));
    }
  }

  private static Row row(String log) {
    return Row.of(Families.SYSTEM_TABLE, "group-log-seal/" + log);
  }

  /** Where each file of a log ends; empty when it is not sealed. */
  Optional<Map<String, Long>> of(String log) {
    List<Cell> cells = store.read(RowRead.of(row(log), Selection.column(COLUMN))).cells();
    return cells.isEmpty() ? Optional.empty() : Optional.of(decode(cells.get(0).value()));
  }

  /** Seals a log, unless it is sealed already. */
  void put(String log, Map<String, Long> ends) {
    replace(row(log), encode(ends));
  }

  /**
   * Replaces an empty value. The call may be repeated when the outcome is unknown: a value that is
   * already there stays.
   */
  private void replace(Row row, Bytes value) {
    ReplaceCell.Request request = new ReplaceCell.Request(row, COLUMN, VERSION, Bytes.EMPTY, value);
    Backoff backoff = new Backoff(seams, Duration.ofMillis(5), Duration.ofMillis(500));
    for (int attempt = 1; ; attempt++) {
      Outcome<Boolean> outcome = store.execute(ReplaceCell.INSTANCE, request, durability);
      if (outcome instanceof Outcome.Done<Boolean>) {
        return;
      }
      if (attempt == ATTEMPTS || !backoff.pause()) {
        throw new TabletUnavailableException(row + " could not be written: " + outcome);
      }
    }
  }

  void remove(String log) {
    store.write(List.of(RowWrite.remove(row(log), COLUMN, VERSION)), durability);
  }

  private static Bytes encode(Map<String, Long> ends) {
    Encoder to = new Encoder(64).u8(1);
    Lists.encode(
        to, List.copyOf(ends.entrySet()), (e, out) -> out.text(e.getKey()).varint(e.getValue()));
    return to.finish();
  }

  private static Map<String, Long> decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int version = from.u8();
    if (version != 1) {
      throw new IllegalArgumentException("A seal of version " + version + " cannot be read.");
    }
    Map<String, Long> ends = new LinkedHashMap<>();
    Lists.decode(from, each -> ends.put(each.text(), each.varint()));
    return ends;
  }
}
