package io.braid.observers;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A store through which a process can be made to die before or after a procedure. */
final class MortalStore implements CellStore {
  private final CellStore store;
  private volatile String dieBefore = "";
  private volatile String dieAfter = "";
  final CountDownLatch died = new CountDownLatch(1);

  MortalStore(CellStore store) {
    this.store = store;
  }

  /** The end of the process: nothing catches it. */
  static final class Died extends Error {
    Died() {
      super("the process died", null, false, false);
    }
  }

  /** Dies instead of running the next procedure whose name starts so. */
  void dieBefore(String procedure) {
    dieBefore = procedure;
  }

  /** Dies after running the next procedure whose name starts so, before it is answered. */
  void dieAfter(String procedure) {
    dieAfter = procedure;
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    if (!dieBefore.isEmpty() && procedure.name().startsWith(dieBefore)) {
      throw die();
    }
    checkAlive();
    List<Outcome<R>> outcomes = store.execute(procedure, arguments, durability);
    if (!dieAfter.isEmpty() && procedure.name().startsWith(dieAfter)) {
      throw die();
    }
    return outcomes;
  }

  private Died die() {
    died.countDown();
    return new Died();
  }

  private void checkAlive() {
    if (died.getCount() == 0) {
      throw new Died();
    }
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    checkAlive();
    return store.read(requests);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    checkAlive();
    return store.scan(request);
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    checkAlive();
    return store.write(writes, durability);
  }

  @Override
  public boolean together(Collection<Row> rows) {
    return store.together(rows);
  }

  @Override
  public List<Tablet> tablets(String table) {
    return store.tablets(table);
  }

  @Override
  public void advanceClock(long timestamp) {
    store.advanceClock(timestamp);
  }

  @Override
  public List<TableSchema> tables() {
    return store.tables();
  }

  @Override
  public Optional<TableSchema> table(String name) {
    return store.table(name);
  }

  @Override
  public void ensureTable(TableSchema schema) {
    store.ensureTable(schema);
  }

  @Override
  public void dropTable(String name) {
    store.dropTable(name);
  }

  @Override
  public void splitTablet(String table, Bytes key) {
    store.splitTablet(table, key);
  }

  @Override
  public long epoch(String table) {
    return store.epoch(table);
  }

  @Override
  public void raiseEpoch(String table, long epoch) {
    store.raiseEpoch(table, epoch);
  }

  @Override
  public SortedFileWriter sortedFile(String table, String family, Path file) {
    return store.sortedFile(table, family, file);
  }

  @Override
  public void ingest(String table, String family, List<Path> files) {
    store.ingest(table, family, files);
  }

  @Override
  public void close() {
    store.close();
  }
}
