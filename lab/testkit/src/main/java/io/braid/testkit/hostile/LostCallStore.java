package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import org.jspecify.annotations.Nullable;

/** Loses items on their way: they are not executed, and the outcome is unknown. */
public final class LostCallStore extends ItemStore {
  private final Strike strike;

  public LostCallStore(CellStore store, Strike strike) {
    super(store);
    this.strike = strike;
  }

  @Override
  protected boolean befalls(Call<?> call) {
    return strike.strikes(call.name());
  }

  @Override
  protected <R extends @Nullable Object> Outcome<R> suffer(Call<R> call) {
    return Outcome.unknown("The call was lost on its way, on purpose.");
  }
}
