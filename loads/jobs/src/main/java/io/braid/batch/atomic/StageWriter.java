package io.braid.batch.atomic;

import io.braid.batch.FailureCode;
import io.braid.batch.LoadContext;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.IndexRowsAhead;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.core.cells.RowMutation;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.loads.StageRow;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Stages records: no reader sees them before the load commits. */
public final class StageWriter implements RecordWriter {
  private final LoadContext context;
  private final TableCatalog tables;
  private final Trips trips;
  private final String load;
  private final long start;
  private final Conflicts conflicts;
  private final IndexRowsAhead indexes;

  public StageWriter(LoadContext context, String load, long start, Conflicts conflicts) {
    this.context = context;
    this.tables = new TableCatalog(context.store());
    tables.beforeLearning(context.loadable()::lookAgain);
    this.trips = new Trips(context.store(), new LongAdder());
    this.load = load;
    this.start = start;
    this.conflicts = conflicts;
    this.indexes = new IndexRowsAhead(context);
  }

  @Override
  public List<WriteResult> write(List<SinkRecord> records) {
    // The indexes known now are those of these epochs, or of later ones.
    List<Long> epochs = new ArrayList<>(records.size());
    for (SinkRecord record : records) {
      epochs.add(tables.epoch(record.row().table()));
      context.loadable().require(record.row().table());
    }
    IndexRowsAhead.WrittenIndexRows ahead = indexes.write(records);
    List<StageRow.Request> requests = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      if (ahead.refused().get(i) == null) {
        SinkRecord record = records.get(i);
        RowMutation mutation =
            new RowMutation(record.row(), epochs.get(i), record.cells(), List.of());
        requests.add(new StageRow.Request(mutation, load, start));
      }
    }
    List<Outcome<StageRow.Answer>> outcomes =
        trips.execute(StageRow.INSTANCE, requests, Durability.SYNCED);
    List<WriteResult> results = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      results.add(result(ahead.open().get(i), outcomes.get(i)));
    }
    return ahead.with(results);
  }

  private WriteResult result(SinkRecord record, Outcome<StageRow.Answer> outcome) {
    if (outcome instanceof Outcome.Done<StageRow.Answer> done) {
      return result(record, done.result());
    }
    if (outcome instanceof Outcome.NotExecuted<StageRow.Answer> not) {
      return failed(
          not.reason() == Outcome.Reason.READ_ONLY
              ? FailureCode.READ_ONLY
              : FailureCode.UNAVAILABLE,
          not.detail());
    }
    return failed(FailureCode.UNKNOWN, outcome.toString());
  }

  private WriteResult result(SinkRecord record, StageRow.Answer answer) {
    return switch (answer.kind()) {
      case STAGED ->
          answer.newer() > 0 && conflicts == Conflicts.FAIL
              ? failed(FailureCode.CONFLICT, "Others wrote the row after the load began.")
              : new WriteResult.Written(
                  conflicts == Conflicts.NEWER && answer.newer() == record.cells().size());
      case OTHER_VALUE ->
          failed(
              FailureCode.DUPLICATE_KEY,
              "Another record of the input has this key and another " + answer.detail() + ".");
      case HELD -> failed(FailureCode.HELD, "Key group " + answer.detail() + " owns the row.");
      case TOO_OLD ->
          failed(
              FailureCode.TOO_OLD,
              "The load began below the low watermark, or before the table was created: make"
                  + " another job.");
      case STALE_EPOCH -> {
        refresh(record.row().table());
        yield failed(FailureCode.STALE_EPOCH, "The table has a new epoch.");
      }
    };
  }

  /** Takes a new epoch, unless the epoch was raised for the load itself. */
  private void refresh(String table) {
    tables.refresh(table);
    LoadState state = LoadDecisions.look(context.store(), load);
    if (state != null && state.phase() != LoadState.Phase.LOADING) {
      throw new StoreException(
          "Load " + load + " is " + state.phase() + ": nothing more can be staged.");
    }
  }

  private static WriteResult failed(FailureCode code, String detail) {
    return new WriteResult.Failed(code, detail);
  }
}
