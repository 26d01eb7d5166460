package io.braid.observers;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The store as one process sees it, which can be made to die before or after a procedure. */
final class MortalStore extends ForwardingStore {
  private final AtomicInteger callsToLive = new AtomicInteger(Integer.MAX_VALUE);
  private volatile String procedure = "none yet";
  private volatile boolean executed;
  private final CountDownLatch died = new CountDownLatch(1);

  MortalStore(CellStore store) {
    super(store);
  }

  /** The end of the process: nothing catches it. */
  static final class Died extends Error {
    Died() {
      super("the process died", null, false, false);
    }
  }

  /** Dies instead of the {@code nth} run of the procedure from now on, counted from 1. */
  void dieBefore(String procedure, int nth) {
    arm(procedure, nth, false);
  }

  /** Dies after the {@code nth} run of the procedure, before it is answered. */
  void dieAfter(String procedure, int nth) {
    arm(procedure, nth, true);
  }

  /** Dies before or after the {@code nth} run of any procedure from now on. */
  void dieAtCall(int nth, boolean executed) {
    arm("", nth, executed);
  }

  private void arm(String procedure, int nth, boolean executed) {
    this.executed = executed;
    this.procedure = procedure;
    callsToLive.set(nth);
  }

  void awaitDeath() throws InterruptedException {
    died.await();
  }

  boolean isDead() {
    return died.getCount() == 0;
  }

  void kill() {
    died.countDown();
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    checkAlive();
    boolean last = procedure.name().equals(this.procedure) && callsToLive.decrementAndGet() == 0;
    if (last && !executed) {
      throw die();
    }
    List<Outcome<R>> outcomes = super.execute(procedure, arguments, durability);
    if (last) {
      throw die();
    }
    return outcomes;
  }

  private Died die() {
    died.countDown();
    return new Died();
  }

  private void checkAlive() {
    if (isDead()) {
      throw new Died();
    }
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    checkAlive();
    return super.read(requests);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    checkAlive();
    return super.scan(request);
  }
}
