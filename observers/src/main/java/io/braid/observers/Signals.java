package io.braid.observers;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;

/** What the tasks of the observers wait for, and whether they are to end. */
final class Signals {
  /** There may be a row to visit. */
  final Signal work;

  /** Scanners may claim more rows. */
  final Signal room;

  /** A sweep is wanted before its time. */
  final Signal sweep;

  /** Raised only at the end: the registry's duty waits for it. */
  final Signal end;

  private volatile boolean closing;

  Signals(Seams seams) {
    work = seams.signal();
    room = seams.signal();
    sweep = seams.signal();
    end = seams.signal();
  }

  boolean closing() {
    return closing;
  }

  void close() {
    closing = true;
    passOn();
  }

  /** A raise wakes one: each task that ends wakes the next. */
  void passOn() {
    work.raise();
    room.raise();
    sweep.raise();
    end.raise();
  }
}
