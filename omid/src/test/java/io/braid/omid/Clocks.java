package io.braid.omid;

import java.util.LinkedHashSet;
import java.util.Set;

/** One wall and the living of a test, shared by its processes. */
final class Clocks {
  long wallMillis = 1_000_000_000_000L;
  long nanos = 1;
  final Set<String> alive = new LinkedHashSet<>();

  void pass(long millis) {
    wallMillis += millis;
    nanos += millis * 1_000_000;
  }
}
