package io.braid.store.rocksdb;

import io.braid.core.data.Row;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of a procedure, as an item of a call. */
final class ProcedureItem<A, R> implements ProcedureCalls.Item<R> {
  private final Database database;
  private final StoreClock clock;
  private final Procedure<A, R> procedure;
  private final A argument;
  private final List<Row> rows;

  ProcedureItem(Database database, StoreClock clock, Procedure<A, R> procedure, A argument) {
    this.database = database;
    this.clock = clock;
    this.procedure = procedure;
    this.argument = argument;
    this.rows = procedure.rows(argument);
    long snapshot = procedure.snapshot(argument);
    rows.forEach(row -> database.catalog.table(row.table()).checkSnapshot(snapshot));
  }

  @Override
  public List<Row> rows() {
    return rows;
  }

  @Override
  public boolean readOnly() {
    return procedure.readOnly();
  }

  /**
   * @param batch null in a run that only reads
   */
  @Override
  public Outcome<R> run(Cursors cursors, @Nullable Batch batch) {
    ProcedureRun run = new ProcedureRun(database, clock, cursors, rows, batch, readOnly());
    return Outcome.done(procedure.run(run, argument));
  }
}
