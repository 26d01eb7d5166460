package io.braid.testkit.hostile;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Decides which calls meet trouble. It is asked with the name of each call: the name of a
 * procedure, {@link Call#WRITE}, {@link #READ}, {@link #SCAN}, {@link #NEXT} (of an open scan) or
 * {@link #TABLETS}. Safe for many threads.
 */
public interface Strike {
  String READ = "read";
  String SCAN = "scan";
  String NEXT = "next";
  String TABLETS = "tablets";

  boolean strikes(String call);

  /** Every call. */
  static Strike always() {
    return call -> true;
  }

  /** No call. */
  static Strike never() {
    return call -> false;
  }

  /** One in {@code n} calls, as chance has it. */
  static Strike oneIn(int n, RandomGenerator random) {
    if (n < 1) {
      throw new IllegalArgumentException("One in " + n + " calls cannot be struck.");
    }
    Object turn = new Object();
    return call -> {
      synchronized (turn) {
        return random.nextInt(n) == 0;
      }
    };
  }

  /** The calls with these numbers, counted from 1. */
  static Strike onCalls(long... numbers) {
    Set<Long> struck = new TreeSet<>();
    for (long number : numbers) {
      struck.add(number);
    }
    AtomicLong count = new AtomicLong();
    return call -> struck.contains(count.incrementAndGet());
  }

  /** As this one, among calls of this name only; it is not asked about others. */
  default Strike among(String name) {
    return call -> call.equals(name) && strikes(call);
  }

  /** As this one, for the first {@code count} strikes; never again thereafter. */
  default Strike atMost(int count) {
    AtomicLong left = new AtomicLong(count);
    return call -> left.get() > 0 && strikes(call) && left.getAndDecrement() > 0;
  }
}
