package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store that treats some items of a call by themselves. Items in between pass on together, in
 * their order.
 */
public abstract class ItemStore extends ForwardingStore {
  protected ItemStore(CellStore store) {
    super(store);
  }

  /** Returns true: the trouble of a call may be that it runs again. */
  @Override
  public boolean resends() {
    return true;
  }

  /** Returns whether trouble befalls this call. Asked once for each. */
  protected abstract boolean befalls(Call<?> call);

  /** Returns the outcome of a call that trouble befalls. */
  protected abstract <R extends @Nullable Object> Outcome<R> suffer(Call<R> call);

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    return inTurn(
        arguments,
        argument -> new Call.Run<>(store, procedure, argument, durability),
        together -> store.execute(procedure, together, durability));
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    return inTurn(
        writes,
        write -> new Call.Write(store, write, durability),
        together -> store.write(together, durability));
  }

  private <I, R extends @Nullable Object> List<Outcome<R>> inTurn(
      List<I> items, Function<I, Call<R>> call, Function<List<I>, List<Outcome<R>>> passOn) {
    List<Outcome<R>> outcomes = new ArrayList<>(items.size());
    List<I> together = new ArrayList<>();
    for (I item : items) {
      Call<R> one = call.apply(item);
      if (!befalls(one)) {
        together.add(item);
        continue;
      }
      if (!together.isEmpty()) {
        outcomes.addAll(passOn.apply(List.copyOf(together)));
        together.clear();
      }
      outcomes.add(suffer(one));
    }
    if (!together.isEmpty() || items.isEmpty()) {
      outcomes.addAll(passOn.apply(together));
    }
    return outcomes;
  }
}
