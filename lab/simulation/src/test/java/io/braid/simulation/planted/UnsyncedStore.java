package io.braid.simulation.planted;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import java.util.List;

/** Acknowledges what is not on stable storage. */
final class UnsyncedStore extends ForwardingStore {
  UnsyncedStore(CellStore store) {
    super(store);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    return store.execute(procedure, arguments, Durability.BUFFERED);
  }
}
