package io.braid.observers;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The store as one process sees it, with a gate behind the runs of one procedure. */
final class GateStore extends ForwardingStore {
  private volatile String procedure = "";
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  GateStore(CellStore store) {
    super(store);
  }

  /** From now on, answers of this procedure wait at the gate. */
  void closeBehind(String procedure) {
    this.procedure = procedure;
  }

  void awaitReached() throws InterruptedException {
    reached.await();
  }

  void open() {
    opened.countDown();
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    List<Outcome<R>> outcomes = super.execute(procedure, arguments, durability);
    if (procedure.name().equals(this.procedure)) {
      reached.countDown();
      try {
        opened.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return outcomes;
  }
}
