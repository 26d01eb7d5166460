package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowWrite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes items later: the outcome is unknown, and the item arrives after calls that began when it
 * was given up.
 */
public final class LateStore extends ItemStore {
  private final Strike strike;
  private final Strike arrival;
  private final LateCalls late = new LateCalls();

  /**
   * @param strike which items are late
   * @param arrival which of the late ones arrive; asked for each of them after every call
   */
  public LateStore(CellStore store, Strike strike, Strike arrival) {
    super(store);
    this.strike = strike;
    this.arrival = arrival;
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    late.deliver(arrival);
    return super.execute(procedure, arguments, durability);
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    late.deliver(arrival);
    return super.write(writes, durability);
  }

  @Override
  protected boolean befalls(Call<?> call) {
    return strike.strikes(call.name());
  }

  @Override
  protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
    late.add(call);
    return Outcome.unknown("The call is late, on purpose.");
  }

  /** How many items have not arrived. */
  public int lateCalls() {
    return late.count();
  }

  /** Lets everything arrive that is late. */
  public void deliverAll() {
    late.deliver(Strike.always());
  }
}
