package io.braid.groups.node;

import io.braid.core.runtime.RecentEntries;

/**
 * The progress of the packets of other nodes, by the life of the way that each has to here. Only a
 * limited number of lives is remembered: a sender that connects under ever new lives takes no more
 * memory.
 */
final class Senders {
  static final int MOST = 10_000;

  /** The packets that have arrived from one life of another node. Guarded by its own monitor. */
  static final class Sender {
    private long last;

    /** Whether a packet has not come before; counts it. */
    boolean isNew(long number) {
      if (number <= last) {
        return false;
      }
      last = number;
      return true;
    }
  }

  // In the order of their last connection.
  private final RecentEntries<Long, Sender> all = new RecentEntries<>(MOST);

  /** The one of a life, when it connects. */
  Sender of(long life) {
    return all.getOrMake(life, each -> new Sender());
  }

  int size() {
    return all.size();
  }
}
