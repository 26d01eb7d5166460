package io.braid.observers.schedule;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;

/** The events that the tasks of the observers wait for, and whether the tasks are to end. */
public final class Signals {
  /** There may be a row to visit. */
  public final Signal work;

  /** Scanners may claim more rows. */
  public final Signal room;

  /** A sweep is wanted before its time. */
  public final Signal sweep;

  /** Raised only at the end: the registry's duty waits for it. */
  public final Signal end;

  private volatile boolean closing;

  public Signals(Seams seams) {
    work = seams.signal();
    room = seams.signal();
    sweep = seams.signal();
    end = seams.signal();
  }

  public boolean closing() {
    return closing;
  }

  public void close() {
    closing = true;
    passOn();
  }

  /** A raise wakes one: each task that ends wakes the next. */
  public void passOn() {
    work.raise();
    room.raise();
    sweep.raise();
    end.raise();
  }
}
