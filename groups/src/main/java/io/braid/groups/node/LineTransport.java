package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.protocol.Messaging;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packets as requests: the network of section 4.1. A node asks other nodes as their clients do, at
 * the same address, with the same proofs of who it is, and within the same bounds. Each {@link Way}
 * to another node counts its packets and sends those that have no answer again. The receiver knows
 * the last number of each way, so that none arrives twice.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class LineTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(LineTransport.class);

  /** Bytes of a request before a packet. */
  private static final int HEAD = 64;

  private final ClientNetwork network;
  private final String address;
  private final Seams seams;
  private final Map<String, Way> ways = new ConcurrentHashMap<>();
  private final Senders senders = new Senders();
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable Receiver receiver;

  /**
   * @param address where clients and other nodes reach this one
   */
  public LineTransport(ClientNetwork network, String address, Seams seams) {
    this.network = network;
    this.address = address;
    this.seams = seams;
  }

  @Override
  public Messaging messaging() {
    return Messaging.RELIABLE;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public int limit() {
    return Frames.MOST - HEAD;
  }

  @Override
  public void start(Receiver newReceiver) {
    receiver = newReceiver;
  }

  @Override
  public void send(String to, Bytes packet) {
    while (true) {
      Way way = ways.computeIfAbsent(to, each -> new Way(each, network, seams));
      if (way.send(packet)) {
        return;
      }
      ways.remove(to, way); // it has ended: the next one begins
    }
  }

  @Override
  public void carried(Decoder from) {
    Receiver to = receiver;
    if (to == null) {
      throw new TabletUnavailableException("This node is being started.");
    }
    Senders.Sender sender = senders.of(from.int64());
    long number = from.int64();
    int count = from.count(Way.MOST_PACKETS);
    synchronized (sender) {
      for (int i = 0; i < count; i++) {
        Bytes packet = from.bytes();
        if (sender.isNew(number + i)) {
          deliver(to, packet);
        }
      }
    }
  }

  private void deliver(Receiver to, Bytes packet) {
    try {
      to.receive(packet);
    } catch (IllegalArgumentException e) {
      refused.incrementAndGet();
      LOG.debug("A packet was refused.", e);
    }
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    ways.values().forEach(Way::close);
  }
}
