package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import org.jspecify.annotations.Nullable;

/** Loses answers: the item is executed, and the outcome is unknown. */
public final class LostAnswerStore extends ItemStore {
  private final Strike strike;

  public LostAnswerStore(CellStore store, Strike strike) {
    super(store);
    this.strike = strike;
  }

  @Override
  protected boolean befalls(Call<?> call) {
    return strike.strikes(call.name());
  }

  @Override
  protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
    call.run();
    return Outcome.unknown("The answer was lost on its way, on purpose.");
  }
}
