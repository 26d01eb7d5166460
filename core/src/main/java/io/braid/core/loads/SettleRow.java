package io.braid.core.loads;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Applies the load's record to the staged cells of a row.
 *
 * <ul>
 *   <li>COMMITTED: each cell becomes a commit record at the load's commit timestamp, with a
 *       notification where observers wait for it. A cell is removed instead if others committed the
 *       column after the load began and the load does not win. All of those commits are there (the
 *       third invariant of the package), so the result is always the same.
 *   <li>ABORTED: the cells are removed.
 *   <li>LOADING: the cells are taken over into the current epoch, so that writers pass over them
 *       again.
 * </ul>
 *
 * <p>Answers whether it was done; not under another epoch. A key group cannot own the row: it does
 * not take a row with staged cells.
 */
public final class SettleRow implements Procedure<SettleRow.Request, Boolean> {
  public static final SettleRow INSTANCE = new SettleRow();

  /**
   * The row to settle.
   *
   * @param state the state of the record when the epoch was known
   */
  public record Request(Row row, long epoch, LoadState state) {}

  private SettleRow() {}

  @Override
  public String name() {
    return "loads.settle-row";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return Math.max(request.state.start(), request.state.commit());
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    LoadState state = request.state;
    RowIntents intents = RowIntents.of(rows, request.row);
    if (intents.guardEpoch(request.epoch) != null) {
      return false;
    }
    List<RowIntents.OwnIntent> staged = intents.own(state.start());
    if (state.phase() == LoadState.Phase.COMMITTED && !staged.isEmpty()) {
      rows.clock().raise(state.commit());
    }
    for (RowIntents.OwnIntent each : staged) {
      switch (state.phase()) {
        case COMMITTED -> commit(rows, request, each);
        case ABORTED -> remove(rows, request, each);
        case LOADING ->
            rows.put(
                request.row,
                Families.intent(each.column()),
                state.start(),
                LoadIntents.under(each.intent(), request.epoch).encode());
        case DRAINING, CLOSING -> {
          return false;
        }
      }
    }
    return true;
  }

  private static void commit(RowAccess rows, Request request, RowIntents.OwnIntent cell) {
    LoadState state = request.state;
    ColumnName column = cell.column();
    if (!state.wins() && isWrittenMeanwhile(rows, request, column)) {
      remove(rows, request, cell);
      return;
    }
    CommitRecords.replace(rows, request.row, cell, state.start(), state.commit());
    if (LoadIntents.isObserved(cell.intent())) {
      new Notification(Notification.Kind.STRONG, cell.intent().decision())
          .put(rows, request.row, column, state.start());
    }
  }

  /**
   * Returns whether other writers committed the column between the begin of the load and its
   * commit. Later commits lie above the load, and snapshots between the two see the load. One
   * example is another load whose veil was lifted before this row was settled.
   */
  private static boolean isWrittenMeanwhile(RowAccess rows, Request request, ColumnName column) {
    long start = request.state.start();
    long commit = request.state.commit();
    long newest = CommitRecords.newerThan(rows, request.row, column, start);
    return newest != 0
        && (newest < commit
            || !rows.versions(request.row, column, start + 1, commit - 1, 1).isEmpty());
  }

  private static void remove(RowAccess rows, Request request, RowIntents.OwnIntent cell) {
    long start = request.state.start();
    rows.delete(request.row, Families.intent(cell.column()), start);
    if (cell.intent().kind() == Intent.Kind.PUT_LARGE) {
      rows.delete(request.row, Families.large(cell.column()), start);
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(
        request ->
            new Encoder(96)
                .row(request.row)
                .varint(request.epoch)
                .raw(request.state.encode())
                .finish(),
        SettleRow::decode);
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.varint(), LoadState.decode(from.rest()));
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
