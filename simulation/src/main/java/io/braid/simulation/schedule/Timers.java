package io.braid.simulation.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is due when, in the order of time and, at one time, of registration. Most are of waits that
 * have ended long before: so it is a heap without objects to follow.
 */
final class Timers {
  private long[] nanos = new long[64];
  private long[] numbers = new long[64];
  private @Nullable Runnable[] actions = new @Nullable Runnable[64];
  private int size;
  private long registered;

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
    long due = nanos[last];
    long number = numbers[last];
    Runnable action = actions[last];
    actions[last] = null;
    int at = 0;
    for (int child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && isBefore(nanos[child + 1], numbers[child + 1], child)) {
        child++;
      }
      if (isBefore(due, number, child)) {
        break;
      }
      move(child, at);
      at = child;
    }
    if (last > 0) {
      set(at, due, number, action);
    }
    return next;
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
