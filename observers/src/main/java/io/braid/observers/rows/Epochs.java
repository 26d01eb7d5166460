package io.braid.observers.rows;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.apiguardian.api.API;

/**
 * The epochs of tables as far as they are known here, and calls that pass them.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Epochs {
  private final CellStore store;
  private final Map<String, Long> known = new ConcurrentHashMap<>();

  public Epochs(CellStore store) {
    this.store = store;
  }

  public long of(String table) {
    Long epoch = known.get(table);
    if (epoch == null) {
      epoch = store.epoch(table);
      known.put(table, epoch);
    }
    return epoch;
  }

  public void learn(String table, long epoch) {
    known.put(table, epoch);
  }

  /**
   * Runs a procedure; once more when the table has another epoch than was known.
   *
   * @param request makes the argument for an epoch
   * @return what was answered, or an outcome that is not Done
   */
  public <A> Outcome<GuardedAnswer> execute(
      Procedure<A, GuardedAnswer> procedure,
      String table,
      LongFunction<A> request,
      Durability durability) {
    Outcome<GuardedAnswer> outcome = store.execute(procedure, request.apply(of(table)), durability);
    if (outcome instanceof Outcome.Done<GuardedAnswer> done
        && done.result().kind() == GuardedAnswer.Kind.STALE_EPOCH) {
      learn(table, done.result().epoch());
      outcome = store.execute(procedure, request.apply(of(table)), durability);
    }
    return outcome;
  }
}
