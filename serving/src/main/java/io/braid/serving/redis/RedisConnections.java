package io.braid.serving.redis;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * How many connections there are and how many bytes of commands they hold, in all and from each
 * address: so no one address takes what others need.
 */
final class RedisConnections {
  /** As many addresses as take all they may fill everything. */
  static final int ADDRESSES = 4;

  /** Bytes of commands that one address may have in memory: two of the longest. */
  static final long BYTES = 2L * RespReader.MOST_BYTES;

  private final int most;
  private final Map<InetAddress, AddressUse> addresses = new HashMap<>();
  private int all;
  private long bytes;

  private static final class AddressUse {
    private int connections;
    private long bytes;
  }

  /**
   * @param most connections of one address
   */
  RedisConnections(int most) {
    this.most = most;
  }

  /** Whether there is room for one more. */
  synchronized boolean enter(InetAddress from) {
    AddressUse held = addresses.get(from);
    if (all >= ADDRESSES * most || (held != null && held.connections >= most)) {
      return false;
    }
    all++;
    addresses.computeIfAbsent(from, address -> new AddressUse()).connections++;
    return true;
  }

  synchronized void leave(InetAddress from) {
    AddressUse held = addresses.get(from);
    if (held != null) {
      all--;
      held.connections--;
      if (held.connections == 0) {
        addresses.remove(from);
      }
    }
  }

  /** Whether there is room for so many bytes more. */
  synchronized boolean take(InetAddress from, int more) {
    AddressUse held = addresses.get(from);
    if (held == null || held.bytes + more > BYTES || bytes + more > ADDRESSES * BYTES) {
      return false;
    }
    held.bytes += more;
    bytes += more;
    return true;
  }

  synchronized void giveBack(InetAddress from, long fewer) {
    AddressUse held = addresses.get(from);
    if (held != null) {
      held.bytes -= fewer;
      bytes -= fewer;
    }
  }
}
