package io.braid.core.store;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/** A store that passes every call on to another: the base of wrappers. */
@API(status = API.Status.EXPERIMENTAL)
public abstract class ForwardingStore implements CellStore {
  /** The store that does the work. */
  protected final CellStore store;

  protected ForwardingStore(CellStore store) {
    this.store = store;
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    return store.read(requests);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    return store.scan(request);
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    return store.write(writes, durability);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    return store.execute(procedure, arguments, durability);
  }

  @Override
  public boolean resends() {
    return store.resends();
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
  public void advanceClock(LongSupplier fresh) {
    store.advanceClock(fresh);
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
  public void ensureTable(TableSchema schema, LongSupplier birth) {
    store.ensureTable(schema, birth);
  }

  @Override
  public long birth(String table) {
    return store.birth(table);
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
  public long watermark() {
    return store.watermark();
  }

  @Override
  public void raiseWatermark(long timestamp) {
    store.raiseWatermark(timestamp);
  }

  @Override
  public void settled(long timestamp) {
    store.settled(timestamp);
  }

  @Override
  public void rememberWrites(String table, LongSupplier fresh) {
    store.rememberWrites(table, fresh);
  }

  @Override
  public void forgetWrites(String table) {
    store.forgetWrites(table);
  }

  @Override
  public Optional<Set<Bytes>> rowsWritten(String table, long from, long to) {
    return store.rowsWritten(table, from, to);
  }

  @Override
  public void reclaim(String table, KeyRange range) {
    store.reclaim(table, range);
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
  public boolean hasVeils() {
    return store.hasVeils();
  }

  @Override
  public void veil(String table, long version, boolean wins) {
    store.veil(table, version, wins);
  }

  @Override
  public Lift lift(
      String table, long version, long start, long epoch, String family, LiftCheck check) {
    return store.lift(table, version, start, epoch, family, check);
  }

  @Override
  public Optional<String> refusesWrites() {
    return store.refusesWrites();
  }

  @Override
  public long takeLongestPause() {
    return store.takeLongestPause();
  }

  @Override
  public boolean discard(String table, long version) {
    return store.discard(table, version);
  }

  @Override
  public Veils veils(String table) {
    return store.veils(table);
  }

  @Override
  public void close() {
    store.close();
  }
}
