package io.braid.batch.sink;

import io.braid.batch.FailureCode;
import io.braid.batch.LoadContext;
import io.braid.batch.rows.IndexRow;
import io.braid.batch.rows.WriteIndexRow;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Row;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the index rows of records ahead of the records, as commit records at a timestamp that is
 * drawn for them. Readers compare an index row with the row that it leads to. So three cases do no
 * harm: index rows are visible before their records, a record is never written, or the row holds
 * other writers' values. Index rows of earlier values of a row are left: they lead nowhere.
 *
 * <p>No row is missed. A reader that sees a record has a snapshot above the version of its index
 * rows, since the record is committed above {@link WrittenIndexRows#floor}. No other writer has
 * removed these index rows: a writer that removes the index row of a value has written another
 * value into the row after that version. If the other value counts, the record is not visible. If
 * the load is to win over the other value, the row is refused and its index rows are written again.
 */
public final class IndexRowsAhead {
  private final LoadContext context;

  /** The known epochs, which are always older than the known indexes. */
  private final TableCatalog tables;

  public IndexRowsAhead(LoadContext context) {
    this.context = context;
    this.tables = new TableCatalog(context.store());
    tables.beforeLearning(context.loadable()::lookAgain);
  }

  /**
   * The index rows that were written ahead of records.
   *
   * @param open the records whose index rows are written
   * @param refused of each record, why it cannot be written, or null
   * @param at the version of the index rows; no one writes a value into a row between this and the
   *     record unless the record loses; the highest timestamp if there are none
   * @param floor a timestamp drawn when the index rows were there: records have to be committed
   *     above it; 0 if there are none
   */
  public record WrittenIndexRows(
      List<SinkRecord> open, List<@Nullable WriteResult> refused, long at, long floor) {
    /** Returns the results of all records, given those of the open records. */
    public List<WriteResult> with(List<WriteResult> results) {
      if (open.size() == refused.size()) {
        return results;
      }
      List<WriteResult> all = new ArrayList<>(refused.size());
      int next = 0;
      for (WriteResult each : refused) {
        all.add(each == null ? results.get(next++) : each);
      }
      return all;
    }
  }

  /** Writes them, durably. The indexes are those that are known when this is called. */
  public WrittenIndexRows write(List<SinkRecord> records) {
    if (records.stream().noneMatch(each -> context.loadable().isIndexed(each.row().table()))) {
      return new WrittenIndexRows(
          records, java.util.Collections.nCopies(records.size(), null), Timestamp.MAX, 0);
    }
    long at = context.oracle().next();
    List<IndexRow> writes = new ArrayList<>();
    List<Integer> of = new ArrayList<>();
    List<@Nullable WriteResult> refused = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      try {
        for (IndexRow each : rows(records.get(i).row(), records.get(i).cells(), at)) {
          writes.add(each);
          of.add(i);
        }
        refused.add(null);
      } catch (IllegalArgumentException e) {
        refused.add(new WriteResult.Failed(FailureCode.TOO_LARGE, String.valueOf(e.getMessage())));
      }
    }
    write(writes, of, refused);
    List<SinkRecord> open = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      if (refused.get(i) == null) {
        open.add(records.get(i));
      }
    }
    return new WrittenIndexRows(open, refused, at, context.oracle().next());
  }

  /**
   * Writes index rows. Notes for each record with an unwritten index row why the record cannot be
   * written.
   */
  private void write(List<IndexRow> writes, List<Integer> of, List<@Nullable WriteResult> refused) {
    List<Outcome<Boolean>> outcomes;
    try {
      outcomes = context.store().execute(WriteIndexRow.INSTANCE, writes, Durability.SYNCED);
    } catch (UnknownTableException e) {
      of.forEach(record -> refused.set(record, remade()));
      writes.forEach(each -> forget(each.row().table()));
      return;
    }
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome<Boolean> outcome = outcomes.get(i);
      if (!(outcome instanceof Outcome.Done<Boolean> done)) {
        refused.set(of.get(i), failed(outcome));
      } else if (!done.result()) {
        refused.set(of.get(i), remade());
        forget(writes.get(i).row().table());
      }
    }
  }

  /** Returns a result by which the record is tried again, with newer knowledge of indexes. */
  private static WriteResult remade() {
    return new WriteResult.Failed(
        FailureCode.STALE_EPOCH, "An index of the table was dropped, or created again.");
  }

  private void forget(String table) {
    try {
      tables.refresh(table);
    } catch (UnknownTableException e) {
      context.loadable().lookAgain();
    }
  }

  private List<IndexRow> rows(Row row, List<CellWrite> cells, long at) {
    return context.loadable().indexRows(row, cells, at, tables::epochIfThere);
  }

  private static WriteResult failed(Outcome<?> outcome) {
    FailureCode code = FailureCode.UNKNOWN;
    if (outcome instanceof Outcome.NotExecuted<?> not) {
      code =
          not.reason() == Outcome.Reason.READ_ONLY
              ? FailureCode.READ_ONLY
              : FailureCode.UNAVAILABLE;
    }
    return new WriteResult.Failed(code, "An index row was not written: " + outcome);
  }
}
