package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What this client has tried to write without knowing what became of it. Its later writes include
 * these, so that they stay in the order in which it made them. The oldest are forgotten when there
 * are many; such a write may then take effect later than the one that followed it.
 */
final class UnsettledWrites {
  private static final int MOST = 1000;

  private final Map<Bytes, VectorClock> clocks = new LinkedHashMap<>();

  /** What a write of a key is to include. */
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
