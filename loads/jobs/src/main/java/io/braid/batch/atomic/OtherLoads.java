package io.braid.batch.atomic;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.loads.LoadState.Phase;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Loads that are staged in the same table at the same time. The final value of a cell must not
 * depend on which load's cells are settled first. So a load goes to CLOSING only when each other
 * load is LOADING, and will commit above it, or has cells that have become records.
 *
 * <p>Each load looks at the others once its own DRAINING is durable. So of two loads that are
 * committed at the same time, at least one sees that the other is not LOADING. If both see that,
 * the load that began later gives way: it goes back to LOADING, and starts over when the other has
 * ended.
 */
final class OtherLoads {
  private final LoadContext context;
  private final LoadDecisions decisions;
  private final String table;
  private final long start;
  private final Duration patience;

  /**
   * @param start the timestamp of the load that is to be committed
   */
  OtherLoads(
      LoadContext context, LoadDecisions decisions, String table, long start, Duration patience) {
    this.context = context;
    this.decisions = decisions;
    this.table = table;
    this.start = start;
    this.patience = patience;
  }

  /**
   * Returns the first load that the draining load has to give way to; null when there is none.
   * Waits for loads that give way to the draining one.
   *
   * @param met the loads that have cells in the table
   */
  @Nullable String inTheWay(Collection<String> met) {
    for (String other : met) {
      LoadState state = look(other);
      Backoff waited = backoff();
      while (state.phase() == Phase.DRAINING && state.start() > start) {
        pause(other, waited);
        state = look(other);
      }
      if (state.phase() != Phase.LOADING && state.phase() != Phase.ABORTED) {
        return other;
      }
    }
    return null;
  }

  /** Waits until another load is not being committed any more; settles its cells if it has been. */
  void pass(String other) {
    LoadState state = look(other);
    Backoff waited = backoff();
    while (state.phase() == Phase.DRAINING) {
      pause(other, waited);
      state = look(other);
    }
    AtomicLoad.settleCommitted(context, other, table, patience);
  }

  private Backoff backoff() {
    return new Backoff(context.seams(), StagedRows.PAUSE, StagedRows.LONGEST_PAUSE);
  }

  private void pause(String other, Backoff waited) {
    if (waited.elapsed().compareTo(patience) > 0 || !waited.pause()) {
      throw new JobException(
          "Load " + other + " of the same table is being committed: commit this one later.");
    }
  }

  /**
   * Returns the state of a load. Decides the load if it is closing; reopens it if the process that
   * drained it is dead.
   */
  private LoadState look(String other) {
    Backoff again = backoff();
    LoadState state = decisions.ask(other);
    while (state == null) {
      if (again.pauses() >= StagedRows.STORE_ATTEMPTS || !again.pause()) {
        throw new TabletUnavailableException(
            "The record of load " + other + " cannot be reached: try again.");
      }
      state = decisions.ask(other);
    }
    return state;
  }
}
