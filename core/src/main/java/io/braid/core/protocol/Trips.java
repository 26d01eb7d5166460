package io.braid.core.protocol;

import io.braid.core.runtime.ReadProgress;
import io.braid.core.store.CellStore;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.UnknownTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Calls the store and counts the trips. A call that ends in an exception has an unknown outcome for
 * each of its items: a part may have been executed. Three exceptions are thrown at once: an unknown
 * table is refused before anything happens, a damaged cell is not worth another call, and a reader
 * that wants no more ({@link ReadProgress}) gets no more.
 */
public class Trips {
  private final CellStore store;
  private final LongAdder count;

  public Trips(CellStore store, LongAdder count) {
    this.store = store;
    this.count = count;
  }

  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    count.increment();
    try {
      return store.execute(procedure, arguments, durability);
    } catch (UnknownTableException | DamagedCellException e) {
      throw e;
    } catch (RuntimeException e) {
      requireOurs(e);
      List<Outcome<R>> unknown = new ArrayList<>(arguments.size());
      for (int i = 0; i < arguments.size(); i++) {
        unknown.add(Outcome.unknown(e.toString()));
      }
      return unknown;
    }
  }

  public <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
    count.increment();
    try {
      return store.execute(procedure, argument, durability);
    } catch (UnknownTableException | DamagedCellException e) {
      throw e;
    } catch (RuntimeException e) {
      requireOurs(e);
      return Outcome.unknown(e.toString());
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

  private static void requireOurs(RuntimeException e) {
    if (ReadProgress.refused(e)) {
      throw e;
    }
  }
}
