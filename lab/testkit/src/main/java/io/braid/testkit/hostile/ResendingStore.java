package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends items again. An item that is struck is executed twice before it is answered, with the
 * second answer; a procedure's run may also wander about and be executed once more after later
 * calls. (A blind write may not: it is not idempotent towards what was written since.)
 */
public final class ResendingStore extends ItemStore {
  private final Strike strike;
  private final Strike arrival;
  private final LateCalls late = new LateCalls();

  /** Sends again before the answer only. */
  public ResendingStore(CellStore store, Strike strike) {
    this(store, strike, Strike.never());
  }

  /**
   * @param strike which items are sent again
   * @param arrival which copies arrive a third time; asked for each of them before every call
   */
  public ResendingStore(CellStore store, Strike strike, Strike arrival) {
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
  protected boolean befalls(Call<?> call) {
    return strike.strikes(call.name());
  }

  @Override
  protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
    call.run();
    Outcome<R> outcome = call.run();
    if (call.isProcedure()) {
      late.add(call);
    }
    return outcome;
  }

  /** Lets every copy arrive that still wanders about. */
  public void deliverAll() {
    late.deliver(Strike.always());
  }
}
