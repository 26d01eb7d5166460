package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes that this client has tried, with unknown outcome. Its later writes include these, so that
 * they stay in the order in which the client made them. The oldest are forgotten when there are
 * many. Such a write may then take effect later than the one that followed it.
 */
final class UnsettledWrites {
  private static final int MOST = 1000;

  private final Map<Bytes, VectorClock> clocks = new LinkedHashMap<>();

  /** Returns the clock that a write of a key must include. */
  synchronized VectorClock of(Bytes key) {
    return clocks.getOrDefault(key, VectorClock.NONE);
  }

  synchronized void add(Bytes key, VectorClock attempted) {
    clocks.merge(key, attempted, VectorClock::merged);
    if (clocks.size() > MOST) {
      clocks.remove(clocks.keySet().iterator().next());
    }
  }

  /** A write of the key that included these was acknowledged. */
  synchronized void settle(Bytes key, VectorClock included) {
    clocks.remove(key, included);
  }
}
