package io.braid.batch.engine;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The loads of engines that have not ended, as rows {@code engine/ID} of Braid's own table. A
 * driver that dies leaves a pin, a veil or staged cells, and files. The row lists these, so that
 * any process can clear them away.
 */
public final class EngineWrites {
  private static final Bytes PREFIX = Bytes.of("engine/");
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "write");
  private static final long VERSION = 1;

  private final LoadContext database;

  /**
   * A load that has not ended.
   *
   * @param start its start timestamp
   * @param directory of its files, or of those from which attempts stage rows; empty: it has none
   * @param staged whether its rows are staged, not imported
   * @param owner the liveness token of the process that began or continued it
   */
  public record Write(
      String id,
      String table,
      long start,
      String directory,
      boolean staged,
      String owner,
      long begunMillis) {
    private Write of(String another) {
      return new Write(id, table, start, directory, staged, another, begunMillis);
    }
  }

  public EngineWrites(LoadContext database) {
    this.database = database;
  }

  /** To be called before there is anything to clear away. */
  void begin(String id, String table, long start, String directory, boolean staged) {
    String owner = database.seams().liveness().token();
    long now = database.seams().wallMillis();
    write(new Write(id, table, start, directory, staged, owner, now));
  }

  /** From now on a load that has not ended is that of this process. */
  void adopt(String id) {
    String owner = database.seams().liveness().token();
    find(id).ifPresent(each -> write(each.of(owner)));
  }

  private void write(Write load) {
    Bytes value =
        new Encoder(128)
            .text(load.table())
            .varint(load.start())
            .text(load.directory())
            .text(load.owner())
            .varint(load.begunMillis())
            .bool(load.staged())
            .finish();
    write(RowWrite.put(row(load.id()), new Cell(COLUMN, VERSION, value)));
  }

  private static Write read(String id, Decoder from) {
    String table = from.text();
    long start = from.varint();
    String directory = from.text();
    String owner = from.text();
    long begun = from.varint();
    // Older entries lack this value: in them, staged loads had no directory.
    boolean staged = from.remaining() == 0 ? directory.isEmpty() : from.bool();
    return new Write(id, table, start, directory, staged, owner, begun);
  }

  /** To be called when there is nothing to clear away any more. */
  void end(String id) {
    write(new RowWrite(row(id), List.of(), List.of(new Removal(COLUMN, VERSION))));
  }

  private void write(RowWrite write) {
    Outcome<Void> outcome = database.store().write(List.of(write), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new TabletUnavailableException(
          "The record of " + write.row() + " may not be stored: " + outcome);
    }
  }

  private static Row row(String id) {
    return Row.of(Families.SYSTEM_TABLE, PREFIX.concat(Bytes.of(id)));
  }

  /** Returns all loads, ordered by id. */
  public List<Write> all() {
    CellStore store = database.store();
    List<Write> all = new ArrayList<>();
    if (store.table(Families.SYSTEM_TABLE).isEmpty()) {
      return all;
    }
    ScanRequest request =
        ScanRequest.of(Families.SYSTEM_TABLE, KeyRange.prefix(PREFIX), Selection.column(COLUMN));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        String id = row.row().key().slice(PREFIX.length()).toUtf8();
        all.add(read(id, new Decoder(row.cells().get(0).value())));
      }
    }
    return all;
  }

  private Optional<Write> find(String id) {
    return all().stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** Returns whether the process that began it, or went on with it, may be alive. */
  public boolean isAlive(Write write) {
    return database.seams().liveness().isAlive(write.owner());
  }

  /**
   * Ends a load whose driver has died. A committed load stays and is taken to its end; a load that
   * has not committed is given up. A driver that is still alive cannot commit it any more.
   *
   * @return whether it had committed
   * @throws JobException when there is no such load, or its table cannot be cleared now
   */
  public boolean reclaim(String id) throws IOException {
    Write write =
        find(id)
            .orElseThrow(
                () -> new JobException("There is no write " + id + ": 'braid job writes' lists."));
    if (database.store().table(write.table()).isEmpty()) {
      database.transactions().unpin(EngineLoad.pin(id));
      removeFiles(write);
      end(id);
      return false;
    }
    if (!write.staged()) {
      return EngineSnapshots.clear(database, write, Path.of(write.directory()));
    }
    boolean committed = EngineLoad.clear(database, write);
    removeFiles(write);
    return committed;
  }

  private static void removeFiles(Write write) throws IOException {
    if (!write.directory().isEmpty()) {
      EngineSnapshots.removeFiles(Path.of(write.directory()));
    }
  }
}
