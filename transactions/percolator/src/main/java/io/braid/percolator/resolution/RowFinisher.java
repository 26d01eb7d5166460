package io.braid.percolator.resolution;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.StoreException;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.PercolatorAnswer;
import io.braid.percolator.rows.RollbackRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls rows of decided transactions forward or back, in one trip each way. Nothing of this needs
 * to be synced: the next transaction that meets the intents of lost work does it again.
 */
public final class RowFinisher {
  private static final Logger LOG = LoggerFactory.getLogger(RowFinisher.class);
  private static final int EPOCH_ATTEMPTS = 3;

  private final Trips trips;
  private final TableCatalog tables;

  public RowFinisher(PercolatorContext around) {
    this.trips = around.trips();
    this.tables = around.tables();
  }

  /** Finishes as much as possible, never fails; returns the rows that may not be finished now. */
  public List<DecidedRow> finish(List<DecidedRow> rows) {
    List<DecidedRow> forward = new ArrayList<>();
    List<DecidedRow> back = new ArrayList<>();
    for (DecidedRow row : rows) {
      (row.decision().isCommitted() ? forward : back).add(row);
    }
    List<DecidedRow> open = new ArrayList<>(0);
    try {
      send(CommitRow.INSTANCE, forward, this::commitRow, open);
      send(RollbackRow.INSTANCE, back, this::rollbackRow, open);
      return open;
    } catch (StoreException e) {
      LOG.debug("{} rows are left to the transactions that meet them.", rows.size(), e);
      return rows;
    }
  }

  private <A> void send(
      Procedure<A, PercolatorAnswer> procedure,
      List<DecidedRow> rows,
      Function<DecidedRow, A> argument,
      List<DecidedRow> open) {
    List<DecidedRow> pending = rows;
    for (int attempt = 0; attempt < EPOCH_ATTEMPTS && !pending.isEmpty(); attempt++) {
      List<A> arguments = new ArrayList<>(pending.size());
      pending.forEach(row -> arguments.add(argument.apply(row)));
      List<@Nullable Outcome<PercolatorAnswer>> outcomes =
          trips.executeWhereThere(procedure, arguments, Durability.BUFFERED);
      List<DecidedRow> stale = new ArrayList<>();
      for (int i = 0; i < pending.size(); i++) {
        sort(pending.get(i), outcomes.get(i), stale, open);
      }
      pending = stale;
    }
    open.addAll(pending);
  }

  private void sort(
      DecidedRow row,
      @Nullable Outcome<PercolatorAnswer> outcome,
      List<DecidedRow> stale,
      List<DecidedRow> open) {
    if (outcome == null) {
      LOG.trace("{} is gone with its table.", row);
    } else if (!(outcome instanceof Outcome.Done<PercolatorAnswer> done)) {
      open.add(row);
    } else if (done.result() instanceof PercolatorAnswer.Refused refused) {
      if (refused.refusal() instanceof Refusal.StaleEpoch) {
        tables.refresh(row.row().table());
        stale.add(row);
      } else {
        open.add(row);
      }
    }
  }

  private CommitRow.Request commitRow(DecidedRow row) {
    return new CommitRow.Request(
        row.row(), epoch(row), row.start(), row.decision().commit(), row.weak());
  }

  private RollbackRow.Request rollbackRow(DecidedRow row) {
    return new RollbackRow.Request(row.row(), epoch(row), row.start(), row.weak());
  }

  private long epoch(DecidedRow row) {
    return tables.epochIfThere(row.row().table());
  }
}
