package io.braid.simulation.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers that are due, ordered by time and, at one time, by registration. The heap has no
 * objects to follow. Most timers are the alarms of waits that end long before. These are removed
 * whenever they outnumber all others.
 */
final class Timers {
  /** Ends a wait, unless that has ended already. */
  interface Alarm extends Runnable {
    /** Whether there is nothing left to do for it, for good. */
    boolean isVain();
  }

  private static final int FEW = 64;

  private long[] nanos = new long[64];
  private long[] numbers = new long[64];
  private @Nullable Runnable[] actions = new @Nullable Runnable[64];
  private int size;
  private long registered;
  private int vain;

  void add(long due, Runnable action) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size);
      actions = Arrays.copyOf(actions, 2 * size);
    }
    long number = registered++;
    int at = size++;
    while (at > 0 && isBefore(due, number, (at - 1) / 2)) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    set(at, due, number, action);
  }

  /** One of the alarms has become vain. */
  void vain() {
    vain++;
    if (vain > FEW && vain > size / 2) {
      throwOut();
    }
  }

  private void throwOut() {
    int kept = 0;
    for (int at = 0; at < size; at++) {
      if (!(actions[at] instanceof Alarm alarm && alarm.isVain())) {
        move(at, kept++);
      }
    }
    Arrays.fill(actions, kept, size, null);
    size = kept;
    vain = 0;
    for (int at = size / 2 - 1; at >= 0; at--) {
      sink(at, nanos[at], numbers[at], actions[at]);
    }
  }

  /** How many there are, vain ones too. */
  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** When the next one is due; only while there is any. */
  long due() {
    return nanos[0];
  }

  /** Takes the action that is due next. */
  @Nullable Runnable take() {
    if (size == 0) {
      return null;
    }
    Runnable next = actions[0];
    int last = --size;
    Runnable moved = actions[last];
    actions[last] = null;
    if (last > 0) {
      sink(0, nanos[last], numbers[last], moved);
    }
    if (next instanceof Alarm alarm && alarm.isVain()) {
      vain--;
    }
    return next;
  }

  /** Puts a timer at a place or below it, where the order is kept. */
  private void sink(int from, long due, long number, @Nullable Runnable action) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(nanos[child + 1], numbers[child + 1], child)) {
        child++;
      }
      if (isBefore(due, number, child)) {
        break;
      }
      move(child, at);
      at = child;
    }
    set(at, due, number, action);
  }

  private boolean isBefore(long due, long number, int at) {
    return due < nanos[at] || (due == nanos[at] && number < numbers[at]);
  }

  private void move(int from, int to) {
    set(to, nanos[from], numbers[from], actions[from]);
  }

  private void set(int at, long due, long number, @Nullable Runnable action) {
    nanos[at] = due;
    numbers[at] = number;
    actions[at] = action;
  }
}
