package io.braid.store.rocksdb.writes;

import io.braid.core.data.Row;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.store.rocksdb.reads.Cursors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of a procedure, as an item of a call. */
public final class ProcedureItem<A, R> implements ProcedureCalls.Item<R> {
  private final ProcedureCalls.Sources sources;
  private final Procedure<A, R> procedure;
  private final A argument;
  private final List<Row> rows;

  ProcedureItem(ProcedureCalls.Sources sources, Procedure<A, R> procedure, A argument) {
    this.sources = sources;
    this.procedure = procedure;
    this.argument = argument;
    this.rows = procedure.rows(argument);
    long snapshot = procedure.snapshot(argument);
    rows.forEach(row -> sources.catalog().table(row.table()).checkSnapshot(snapshot));
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
    ProcedureRun run = new ProcedureRun(sources, cursors, rows, batch, readOnly());
    return Outcome.done(procedure.run(run, argument));
  }
}
