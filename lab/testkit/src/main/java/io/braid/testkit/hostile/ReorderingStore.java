package io.braid.testkit.hostile;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Treats the items of each call in another order, as the tablets of a batch finish in any. */
public final class ReorderingStore extends ForwardingStore {
  private final RandomGenerator random;

  public ReorderingStore(CellStore store, RandomGenerator random) {
    super(store);
    this.random = random;
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    return shuffled(requests, super::read);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    return shuffled(arguments, shuffled -> super.execute(procedure, shuffled, durability));
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    return shuffled(writes, shuffled -> super.write(shuffled, durability));
  }

  private <I, O> List<O> shuffled(List<I> items, Function<List<I>, List<O>> call) {
    int[] order = order(items.size());
    List<I> shuffled = new ArrayList<>(items.size());
    for (int place : order) {
      shuffled.add(items.get(place));
    }
    List<O> answers = call.apply(shuffled);
    List<O> inOrder = new ArrayList<>(answers);
    for (int i = 0; i < order.length; i++) {
      inOrder.set(order[i], answers.get(i));
    }
    return inOrder;
  }

  private synchronized int[] order(int size) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}
