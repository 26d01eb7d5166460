package io.braid.serving.net;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.node.ServedStore;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which push may change which store: one at a time. Kept in memory; when the node restarts, a push
 * that ran takes its lease again, unless another one was faster, or a rollback has ended it: that
 * is in the store's file {@code latest}.
 */
final class PushLeases {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Seams seams;
  private final String what;
  private final Map<String, HeldLease> leases = new HashMap<>();

  private record HeldLease(String push, long end) {}

  /**
   * @param what holds them, for messages
   */
  PushLeases(Seams seams, String what) {
    this.seams = seams;
    this.what = what;
  }

  /**
   * Gives a push the lease, or more time.
   *
   * @param allowed throws if it must not have it; asked when nothing else can come between
   */
  synchronized void take(String store, String push, Duration length, ServedStore.Condition allowed)
      throws IOException {
    HeldLease held = held(store);
    if (held != null && !held.push().equals(push)) {
      throw busy(store, held);
    }
    allowed.check();
    Duration bounded = length.compareTo(LONGEST) < 0 ? length : LONGEST;
    leases.put(store, new HeldLease(push, seams.nanoTime() + bounded.toNanos()));
  }

  synchronized void release(String store, String push) {
    HeldLease held = leases.get(store);
    if (held != null && held.push().equals(push)) {
      leases.remove(store);
    }
  }

  /** Notes for good that a push has ended. */
  interface EndRecorder {
    void end(String push) throws IOException;
  }

  /** Ends the push that has the lease of a store; changes nothing if the end cannot be recorded. */
  synchronized void revoke(String store, EndRecorder ending) throws IOException {
    HeldLease held = leases.get(store);
    if (held != null) {
      ending.end(held.push());
      leases.remove(store);
    }
  }

  /**
   * Refuses a step of a push that has no lease, and one by hand while a push runs.
   *
   * @param push empty: by hand
   */
  synchronized void check(String store, String push) {
    HeldLease held = held(store);
    if (held == null && !push.isEmpty()) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
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

  private @Nullable HeldLease held(String store) {
    HeldLease held = leases.get(store);
    return held != null && held.end() - seams.nanoTime() > 0 ? held : null;
  }

  private ServingException busy(String store, HeldLease held) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED,
        what + held.push() + " of " + store + " is running here. Wait for its end.");
  }
}
