package io.braid.percolator;

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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A store whose procedure calls a test can watch, lose, hold back and repeat. */
final class Intercepted implements CellStore {
  private final CellStore store;
  final List<Call<?, ?>> calls = new ArrayList<>();
  int trips;
  Interceptor interceptor = Interceptor.PASS;

  /** One item of a call. */
  record Call<A, R>(CellStore store, Procedure<A, R> procedure, A argument, Durability durability) {
    /**
     * Runs it as a store in another process would: what goes in and out goes through the codecs.
     */
    Outcome<R> run() {
      A received = procedure.argumentCodec().decode(procedure.argumentCodec().encode(argument));
      Outcome<R> outcome = store.execute(procedure, received, durability);
      return outcome instanceof Outcome.Done<R> done
          ? Outcome.done(
              procedure.resultCodec().decode(procedure.resultCodec().encode(done.result())))
          : outcome;
    }

    boolean is(Procedure<?, ?> other) {
      return procedure == other;
    }

    boolean on(Row row) {
      return procedure.rows(argument).contains(row);
    }
  }

  /** Decides what becomes of each item of a call. */
  interface Interceptor {
    Interceptor PASS = Call::run;

    <A, R> Outcome<R> execute(Call<A, R> call);
  }

  Intercepted(CellStore store) {
    this.store = store;
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    trips++;
    List<Outcome<R>> outcomes = new ArrayList<>();
    for (A argument : arguments) {
      Call<A, R> call = new Call<>(store, procedure, argument, durability);
      calls.add(call);
      outcomes.add(interceptor.execute(call));
    }
    return outcomes;
  }

  /** How many items of this procedure were called. */
  long count(Procedure<?, ?> procedure) {
    return calls.stream().filter(call -> call.is(procedure)).count();
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    trips++;
    return store.read(requests);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    trips++;
    return store.scan(request);
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    trips++;
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
