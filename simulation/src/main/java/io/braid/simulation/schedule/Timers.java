package io.braid.simulation.schedule;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is due when, in the order of time and, at one time, of registration. */
final class Timers {
  private final PriorityQueue<Timer> queue = new PriorityQueue<>();
  private long registered;

  /** An action that is due. */
  record Timer(long nanos, long number, Runnable action) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  void add(long nanos, Runnable action) {
    queue.add(new Timer(nanos, registered++, action));
  }

  @Nullable Timer next() {
    return queue.poll();
  }
}
