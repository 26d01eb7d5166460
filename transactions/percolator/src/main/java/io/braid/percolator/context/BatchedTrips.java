package io.braid.percolator.context;

import io.braid.core.protocol.Trips;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.UnknownTableException;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.SnapshotRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Trips to the store. Calls of several transactions share a trip if they may wait for others. */
public final class BatchedTrips {
  private final Trips trips;
  // Null when no call waits for others.
  private final @Nullable TripBatches batches;

  public BatchedTrips(
      CellStore store, LongAdder count, Seams seams, PercolatorOptions.Savings savings) {
    this.trips = new Trips(store, count);
    this.batches =
        savings.batchDelay().isZero() ? null : new TripBatches(seams, trips::execute, savings);
  }

  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    TripBatches shared = batches;
    if (shared == null || !mayWait(procedure)) {
      return trips.execute(procedure, arguments, durability);
    }
    try {
      return shared.execute(procedure, arguments, durability);
    } catch (UnknownTableException | DamagedCellException e) {
      // The error may belong to another transaction.
      return trips.execute(procedure, arguments, durability);
    }
  }

  /**
   * As {@code execute}, for calls on the rows of several transactions: a missing table must not
   * stop the calls for the others. The outcome is null where the table is missing.
   */
  public <A, R> List<@Nullable Outcome<R>> executeWhereThere(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    List<@Nullable Outcome<R>> outcomes = new ArrayList<>(arguments.size());
    try {
      outcomes.addAll(execute(procedure, arguments, durability));
    } catch (UnknownTableException e) {
      for (A argument : arguments) {
        outcomes.add(executeIfThere(procedure, argument, durability));
      }
    }
    return outcomes;
  }

  private <A, R> @Nullable Outcome<R> executeIfThere(
      Procedure<A, R> procedure, A argument, Durability durability) {
    try {
      return execute(procedure, argument, durability);
    } catch (UnknownTableException e) {
      return null;
    }
  }

  /**
   * Whether a call may wait for others. Reads and prewrites may. A call may not if its caller holds
   * locks while it waits for the answer.
   */
  private static boolean mayWait(Procedure<?, ?> procedure) {
    return procedure == SnapshotRead.INSTANCE || procedure == Prewrite.INSTANCE;
  }

  public <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
    if (batches != null) {
      return execute(procedure, List.of(argument), durability).get(0);
    }
    return trips.execute(procedure, argument, durability);
  }
}
