package io.braid.testkit.runtime;

import java.util.LinkedHashSet;
import java.util.Set;

/** One wall and the living of a test, shared by its processes. */
public final class Clocks {
  public long wallMillis = 1_000_000_000_000L;
  public long nanos = 1;
  public final Set<String> alive = new LinkedHashSet<>();

  public void pass(long millis) {
    wallMillis += millis;
    nanos += millis * 1_000_000;
  }
}
