package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.groups.GroupException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one node: packets wait until the node has answered that it has them. All packets that
 * wait go with one request, and the next request follows its answer. A node that cannot be reached
 * for a minute is given up, with all waiting packets. It is dead, and its packets do not matter any
 * more. A way that is not used for a minute ends, too.
 */
final class Way implements AutoCloseable {
  /** Packets of one request. */
  static final int MOST_PACKETS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(Way.class);

  /** Bytes of the packets of one request, if there are several. */
  private static final int MOST_BYTES = 8 << 20;

  private static final Duration GIVE_UP = Duration.ofMinutes(1);
  private static final Duration UNUSED = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration SHORTEST = Duration.ofMillis(5);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  /** A connection that was not used for longer may have been ended by the node. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final String address;

  /** Names this way: the receiver counts the packets of each name. A later way has another name. */
  private final long life;

  private final ClientNetwork network;
  private final Seams seams;
  private final Signal news;
  private final Deque<Bytes> waiting = new ArrayDeque<>();
  private boolean ended; // guarded by waiting
  private long first = 1; // the number of the first waiting packet
  private long used;
  private volatile @Nullable NodeConnection connection;
  private volatile boolean closed;

  Way(String address, ClientNetwork network, Seams seams) {
    this.address = address;
    this.network = network;
    this.seams = seams;
    this.life = seams.random().nextLong();
    this.news = seams.signal();
    this.used = seams.nanoTime();
    seams.start("braid-group-way", EnduringLoop.loop(this::run));
  }

  /** Takes a packet; does not wait. Returns false if this way has ended. */
  boolean send(Bytes packet) {
    synchronized (waiting) {
      if (ended) {
        return false;
      }
      waiting.add(packet);
    }
    news.raise();
    return true;
  }

  private void run() {
    Backoff backoff = new Backoff(seams, SHORTEST, LONGEST);
    while (!closed) {
      List<Bytes> packets = next();
      if (packets.isEmpty()) {
        rest();
      } else if (areThere(packets)) {
        forget(packets.size());
        backoff = new Backoff(seams, SHORTEST, LONGEST);
      } else if (!closed && (!backoff.pause() || backoff.elapsed().compareTo(GIVE_UP) > 0)) {
        LOG.warn("Node {} cannot be reached: given up.", address);
        close();
      }
    }
    disconnect();
  }

  private List<Bytes> next() {
    List<Bytes> next = new ArrayList<>();
    long bytes = 0;
    synchronized (waiting) {
      for (Bytes each : waiting) {
        bytes += each.length();
        if (next.size() == MOST_PACKETS || (bytes > MOST_BYTES && !next.isEmpty())) {
          break;
        }
        next.add(each);
      }
    }
    return next;
  }

  private void forget(int count) {
    synchronized (waiting) {
      for (int i = 0; i < count; i++) {
        waiting.remove();
      }
      first += count;
    }
  }

  /** Waits for packets, and ends the way if there are none for long. */
  private void rest() {
    news.await(LOOK);
    if (isOld(UNUSED)) {
      synchronized (waiting) {
        ended |= waiting.isEmpty();
        closed |= ended;
      }
    }
  }

  private boolean isOld(Duration age) {
    return seams.nanoTime() - used > age.toNanos();
  }

  /** Sends packets. Returns whether the node has said that it has them. */
  private boolean areThere(List<Bytes> packets) {
    try {
      connection()
          .call(
              Wire.CARRY,
              to -> {
                to.int64(life).int64(first).varint(packets.size());
                packets.forEach(to::bytes);
              });
      used = seams.nanoTime();
      return true;
    } catch (NodeUnreachableException e) {
      LOG.debug("Packets to {} are sent again: {}", address, e.getMessage());
    } catch (GroupException e) {
      LOG.warn("Packets to {} are sent again: {}", address, e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("Packets to {} are sent again.", address, e);
    }
    disconnect();
    return false;
  }

  private NodeConnection connection() {
    if (isOld(FRESH)) {
      disconnect();
    }
    NodeConnection open = connection;
    if (open == null) {
      open = NodeConnection.open(network, address);
      connection = open;
    }
    return open;
  }

  private void disconnect() {
    NodeConnection open = connection;
    if (open != null) {
      connection = null;
      open.close();
    }
  }

  /** Ends this way at once, also in the middle of a request. */
  @Override
  public void close() {
    synchronized (waiting) {
      ended = true;
    }
    closed = true;
    disconnect();
    news.raise();
  }
}
