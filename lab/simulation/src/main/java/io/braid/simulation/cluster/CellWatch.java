package io.braid.simulation.cluster;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowWrite;
import io.braid.core.store.TabletClock;
import io.braid.simulation.cluster.CellListener.Change;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs procedures and reports their changes to a listener. */
final class CellWatch {
  private final CellListener listener;

  CellWatch(CellListener listener) {
    this.listener = listener;
  }

  <A, R> Outcome<R> execute(
      CellStore store, Procedure<A, R> procedure, A argument, Durability durability) {
    Watched<A, R> watched = new Watched<>(procedure);
    Outcome<R> outcome = store.execute(watched, argument, durability);
    if (outcome instanceof Outcome.Done<R>) {
      tell(watched.changes);
    }
    return outcome;
  }

  void written(RowWrite write) {
    List<Change> changes = new ArrayList<>();
    for (RowWrite.Removal removal : write.removals()) {
      changes.add(new Change(write.row(), removal.column(), removal.version(), null));
    }
    for (Cell cell : write.puts()) {
      changes.add(new Change(write.row(), cell.column(), cell.version(), cell.value()));
    }
    tell(changes);
  }

  private void tell(List<Change> changes) {
    if (!changes.isEmpty()) {
      listener.changed(changes);
    }
  }

  void crashed() {
    listener.lostChanges();
  }

  /** A procedure whose writes are noted down. */
  private static final class Watched<A, R> implements Procedure<A, R> {
    private final Procedure<A, R> procedure;
    private final List<Change> changes = new ArrayList<>();

    private Watched(Procedure<A, R> procedure) {
      this.procedure = procedure;
    }

    @Override
    public String name() {
      return procedure.name();
    }

    @Override
    public List<Row> rows(A argument) {
      return procedure.rows(argument);
    }

    @Override
    public long snapshot(A argument) {
      return procedure.snapshot(argument);
    }

    @Override
    public long highest(A argument) {
      return procedure.highest(argument);
    }

    @Override
    public boolean readOnly() {
      return procedure.readOnly();
    }

    @Override
    public boolean excludesOthers(A argument) {
      return procedure.excludesOthers(argument);
    }

    @Override
    public R run(RowAccess rows, A argument) {
      changes.clear();
      return procedure.run(new Noting(rows, changes), argument);
    }

    @Override
    public Codec<A> argumentCodec() {
      return procedure.argumentCodec();
    }

    @Override
    public Codec<R> resultCodec() {
      return procedure.resultCodec();
    }
  }

  private record Noting(RowAccess rows, List<Change> changes) implements RowAccess {
    @Override
    public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
      return rows.newest(row, column, maxVersion);
    }

    @Override
    public @Nullable Cell at(Row row, ColumnName column, long version) {
      return rows.at(row, column, version);
    }

    @Override
    public List<Cell> versions(
        Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
      return rows.versions(row, column, minVersion, maxVersion, limit);
    }

    @Override
    public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
      return rows.family(row, family, qualifierPrefix);
    }

    @Override
    public boolean has(Row row, String family) {
      return rows.has(row, family);
    }

    @Override
    public void put(Row row, ColumnName column, long version, Bytes value) {
      changes.add(new Change(row, column, version, value));
      rows.put(row, column, version, value);
    }

    @Override
    public void delete(Row row, ColumnName column, long version) {
      changes.add(new Change(row, column, version, null));
      rows.delete(row, column, version);
    }

    @Override
    public TabletClock clock() {
      return rows.clock();
    }

    @Override
    public long epoch(String table) {
      return rows.epoch(table);
    }

    @Override
    public long birth(String table) {
      return rows.birth(table);
    }

    @Override
    public long watermark() {
      return rows.watermark();
    }
  }
}
