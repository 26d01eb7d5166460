package io.braid.server.coordinator;

import io.braid.server.coordinator.HintMessage.HintOffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Hints that wait for the next message, as far as there is room. Not safe for threads. */
final class GatheredHints {
  /** Bytes of all waiting hints, at most; their topics and their contents count. */
  static final long MOST_BYTES = 16 << 20;

  /** Bytes of one hint, at most, and of a message without its last hint. */
  static final int MOST_BYTES_SENT = 1 << 20;

  private static final int MOST = 1 << 14;
  private static final int MOST_SENT = 1024;

  private final Queue<HintOffer> waiting = new ArrayDeque<>();
  private long bytes;

  /** Adds a hint. Returns whether there was room for it. */
  boolean add(HintOffer hint) {
    long more = bytes(hint);
    if (waiting.size() >= MOST || more > MOST_BYTES_SENT || bytes + more > MOST_BYTES) {
      return false;
    }
    bytes += more;
    return waiting.add(hint);
  }

  /** Takes the hints that go with the next message. */
  List<HintOffer> take() {
    List<HintOffer> batch = new ArrayList<>();
    long taken = 0;
    while (!waiting.isEmpty() && batch.size() < MOST_SENT && taken < MOST_BYTES_SENT) {
      HintOffer hint = waiting.remove();
      taken += bytes(hint);
      batch.add(hint);
    }
    bytes -= taken;
    return batch;
  }

  private static long bytes(HintOffer hint) {
    return (long) hint.topic().length() + hint.hint().length();
  }
}
