package io.braid.store.rocksdb.writes;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.store.rocksdb.reads.Cursors;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.Table;
import java.util.List;

/** A write without reading, as an item of a call. Removals come before puts. */
public record BlindWrite(Table table, RowWrite write) implements ProcedureCalls.Item<Void> {
  public BlindWrite {
    for (Cell put : write.puts()) {
      table.family(put.column().family());
    }
    for (Removal removal : write.removals()) {
      table.family(removal.column().family());
    }
  }

  @Override
  public List<Row> rows() {
    return List.of(write.row());
  }

  @Override
  public boolean readOnly() {
    return false;
  }

  @Override
  public Outcome<Void> run(Cursors cursors, Batch batch) {
    for (Removal removal : write.removals()) {
      Family family = table.family(removal.column().family());
      batch.delete(family, write.row(), removal.column().qualifier(), removal.version());
    }
    for (Cell put : write.puts()) {
      Family family = table.family(put.column().family());
      batch.put(table, family, write.row(), put.column().qualifier(), put.version(), put.value());
    }
    return Outcome.done();
  }
}
