package io.braid.batch.sink;

import io.braid.batch.FailureCode;
import io.braid.batch.LoadContext;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.rows.LoadAnswer;
import io.braid.batch.rows.LoadRow;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes records into their table, each by one run of {@link LoadRow}, a batch in one trip to each
 * tablet. The written records are synced: a checkpoint may say so.
 */
public final class TableWriter implements RecordWriter {
  private static final int CLOCK_ATTEMPTS = 50;

  private final LoadContext context;
  private final TableCatalog tables;
  private final Trips trips;
  private final long start;
  private final Conflicts conflicts;
  private final IndexRowsAhead indexes;

  /**
   * @param start the timestamp of the job
   */
  public TableWriter(LoadContext context, long start, Conflicts conflicts) {
    this.context = context;
    this.tables = new TableCatalog(context.store());
    tables.beforeLearning(context.loadable()::lookAgain);
    this.trips = new Trips(context.store(), new LongAdder());
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
    List<LoadRow.Request> requests = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      if (ahead.refused().get(i) == null) {
        SinkRecord record = records.get(i);
        RowMutation mutation =
            new RowMutation(record.row(), epochs.get(i), record.cells(), List.of());
        requests.add(new LoadRow.Request(mutation, start, conflicts, ahead.at(), ahead.floor()));
      }
    }
    List<Outcome<LoadAnswer>> outcomes = execute(requests);
    List<WriteResult> results = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      results.add(result(ahead.open().get(i), outcomes.get(i)));
    }
    return ahead.with(results);
  }

  /** Brings the tablet clocks a fresh timestamp for as long as they run out of versions. */
  private List<Outcome<LoadAnswer>> execute(List<LoadRow.Request> requests) {
    List<Outcome<LoadAnswer>> outcomes =
        new ArrayList<>(trips.execute(LoadRow.INSTANCE, requests, Durability.SYNCED));
    List<Integer> exhausted = exhausted(outcomes);
    for (int n = 0; n < CLOCK_ATTEMPTS && !exhausted.isEmpty(); n++) {
      context.store().advanceClock(context.oracle()::next);
      List<Outcome<LoadAnswer>> more =
          trips.execute(
              LoadRow.INSTANCE, exhausted.stream().map(requests::get).toList(), Durability.SYNCED);
      for (int i = 0; i < more.size(); i++) {
        outcomes.set(exhausted.get(i), more.get(i));
      }
      exhausted = exhausted(outcomes);
    }
    return outcomes;
  }

  private static List<Integer> exhausted(List<Outcome<LoadAnswer>> outcomes) {
    List<Integer> exhausted = new ArrayList<>(0);
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<LoadAnswer> done
          && done.result() instanceof LoadAnswer.Exhausted) {
        exhausted.add(i);
      }
    }
    return exhausted;
  }

  private WriteResult result(SinkRecord record, Outcome<LoadAnswer> outcome) {
    if (outcome instanceof Outcome.Done<LoadAnswer> done) {
      return result(record, done.result());
    }
    if (outcome instanceof Outcome.NotExecuted<LoadAnswer> refused) {
      FailureCode code =
          refused.reason() == Outcome.Reason.READ_ONLY
              ? FailureCode.READ_ONLY
              : FailureCode.UNAVAILABLE;
      return new WriteResult.Failed(code, refused.detail());
    }
    return new WriteResult.Failed(FailureCode.UNKNOWN, outcome.toString());
  }

  private WriteResult result(SinkRecord record, LoadAnswer answer) {
    if (answer instanceof LoadAnswer.Loaded loaded) {
      hint(record, loaded.version());
      return new WriteResult.Written(loaded.kept() == record.cells().size());
    }
    if (answer instanceof LoadAnswer.Blocked blocked) {
      return unblock(record.row(), blocked);
    }
    if (answer instanceof LoadAnswer.Conflicting conflicting) {
      return new WriteResult.Failed(
          FailureCode.CONFLICT, "Others wrote " + conflicting.columns() + " after the load began.");
    }
    if (answer instanceof LoadAnswer.Twice twice) {
      return new WriteResult.Failed(
          FailureCode.DUPLICATE_KEY,
          "Another record of the input has this key and another " + twice.column() + ".");
    }
    if (answer instanceof LoadAnswer.Refused refused) {
      return refused(refused.refusal());
    }
    return new WriteResult.Failed(FailureCode.CLOCK, "The tablet clock had no timestamps left.");
  }

  private WriteResult refused(Refusal refusal) {
    if (refusal instanceof Refusal.Held held) {
      return new WriteResult.Failed(
          FailureCode.HELD, "Key group " + held.group() + " owns the row.");
    }
    if (refusal instanceof Refusal.StaleEpoch stale) {
      tables.refresh(stale.table());
      return new WriteResult.Failed(FailureCode.STALE_EPOCH, "The table has a new epoch.");
    }
    if (refusal instanceof Refusal.Replaced replaced) {
      return new WriteResult.Failed(
          FailureCode.REPLACED,
          "Table " + replaced.table() + " was created after the load began: make another job.");
    }
    return new WriteResult.Failed(
        FailureCode.TOO_OLD, "The load began below the low watermark: make another job.");
  }

  /** Has the intent in the way decided, in the way of a reader, under either protocol. */
  private WriteResult unblock(Row row, LoadAnswer.Blocked blocked) {
    String detail = "The transaction begun at " + blocked.other() + " is writing the row.";
    try (Snapshot now = context.transactions().snapshot()) {
      ColumnName name = blocked.column();
      now.get(row, Column.of(name.family(), name.qualifier(), Codecs.bytes()));
    } catch (TransactionException | StoreException e) {
      detail = String.valueOf(e.getMessage());
    }
    return new WriteResult.Failed(FailureCode.BLOCKED, detail);
  }

  private void hint(SinkRecord record, long version) {
    for (CellWrite cell : record.cells()) {
      if (version != 0 && cell.observed()) {
        context.changes().changed(record.row(), cell.column(), start, version);
      }
    }
  }
}
