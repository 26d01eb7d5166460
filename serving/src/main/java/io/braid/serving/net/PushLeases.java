package io.braid.serving.net;

import io.braid.core.runtime.Seams;
import io.braid.serving.node.VersionRefusedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which push may change which store: one at a time. Kept in memory; when the node restarts, a push
 * that ran takes its lease again, unless another one was faster.
 */
final class PushLeases {
  private static final int MOST_ENDED = 1000;
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Seams seams;
  private final String what;
  private final Map<String, Held> leases = new HashMap<>();

  /** Who must not take a lease again, with the stores; the last ones. */
  private final Map<Held.Id, Boolean> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Held.Id, Boolean> eldest) {
          return size() > MOST_ENDED;
        }
      };

  private record Held(String push, long end) {
    /** A push of a store. */
    private record Id(String store, String push) {}
  }

  /**
   * @param what holds them, for messages
   */
  PushLeases(Seams seams, String what) {
    this.seams = seams;
    this.what = what;
  }

  synchronized void take(String store, String push, Duration length) {
    Held held = held(store);
    if (held != null && !held.push().equals(push)) {
      throw busy(store, held);
    }
    if (ended.containsKey(new Held.Id(store, push))) {
      throw new VersionRefusedException(
          what
              + push
              + " of "
              + store
              + " was ended by a version rollback. Begin another one, with an id of its own.");
    }
    Duration bounded = length.compareTo(LONGEST) < 0 ? length : LONGEST;
    leases.put(store, new Held(push, seams.nanoTime() + bounded.toNanos()));
  }

  synchronized void release(String store, String push) {
    Held held = leases.get(store);
    if (held != null && held.push().equals(push)) {
      leases.remove(store);
    }
  }

  /** Ends whoever has the lease of a store, for good. */
  synchronized void revoke(String store) {
    Held held = leases.remove(store);
    if (held != null) {
      ended.put(new Held.Id(store, held.push()), true);
    }
  }

  /**
   * Refuses a step of a push that has no lease, and one by hand while a push runs.
   *
   * @param push empty: by hand
   */
  synchronized void check(String store, String push) {
    Held held = held(store);
    if (held == null && !push.isEmpty()) {
      throw new VersionRefusedException(
          what + push + " of " + store + " has lost its lease here. Run it again.");
    }
    if (held != null && !held.push().equals(push)) {
      throw busy(store, held);
    }
  }

  /** Whether any push runs here. */
  synchronized boolean anyHeld() {
    return leases.keySet().stream().anyMatch(store -> held(store) != null);
  }

  private @Nullable Held held(String store) {
    Held held = leases.get(store);
    return held != null && held.end() - seams.nanoTime() > 0 ? held : null;
  }

  private VersionRefusedException busy(String store, Held held) {
    return new VersionRefusedException(
        what + held.push() + " of " + store + " is running here. Wait for its end.");
  }
}
