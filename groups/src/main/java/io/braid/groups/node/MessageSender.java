package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to other nodes, all that wait for the same node in one packet. A packet is a count
 * and that many messages, each a byte string.
 */
final class MessageSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessageSender.class);
  private static final int MOST_MESSAGES = 10_000;
  private static final int ROOM = 32;
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration STOP = Duration.ofSeconds(5);

  private final Transport transport;
  private final NodeDirectory nodes;
  private final Map<String, List<NodeMessage>> waiting = new TreeMap<>();
  private final Signal news;
  private final Task task;
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong packets = new AtomicLong();
  private volatile boolean closed;

  MessageSender(Transport transport, NodeDirectory nodes, Seams seams) {
    this.transport = transport;
    this.nodes = nodes;
    this.news = seams.signal();
    this.task = seams.start("braid-group-sender", EnduringLoop.loop(this::run));
  }

  /** Takes a message; does not wait. */
  void send(NodeMessage message) {
    synchronized (waiting) {
      waiting.computeIfAbsent(message.to(), to -> new ArrayList<>()).add(message);
    }
    news.raise();
  }

  private void run() {
    while (!closed) {
      news.await(LOOK);
      try {
        taken().forEach(this::sendIfPossible);
      } catch (VirtualMachineError e) {
        LOG.warn("Messages wait until there is memory again.", e);
      }
    }
  }

  private Map<String, List<NodeMessage>> taken() {
    synchronized (waiting) {
      Map<String, List<NodeMessage>> all = new TreeMap<>(waiting);
      waiting.clear();
      return all;
    }
  }

  /** Sends messages to a node if possible. One unreachable node does not block the rest. */
  private void sendIfPossible(String to, List<NodeMessage> all) {
    try {
      send(to, all);
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      LOG.warn("{} messages for {} cannot be sent.", all.size(), to, e);
    }
  }

  private void send(String to, List<NodeMessage> all) {
    String address = nodes.named(to).map(NodeInfo::messages).orElse("");
    if (address.isEmpty()) {
      LOG.debug("{} messages are for {}, which is not there.", all.size(), to);
      return;
    }
    Deque<NodeMessage> rest = new ArrayDeque<>(all);
    List<Bytes> packet = new ArrayList<>();
    int size = 0;
    while (!rest.isEmpty()) {
      NodeMessage message = rest.removeFirst();
      Encoder one = new Encoder(256);
      message.encode(one);
      Bytes bytes = one.finish();
      if (bytes.length() + ROOM > transport.limit() && message.isDivisible()) {
        List<NodeMessage> halves = message.halves();
        rest.addFirst(halves.get(1));
        rest.addFirst(halves.get(0));
        continue;
      }
      boolean full =
          size + bytes.length() + ROOM > transport.limit() || packet.size() == MOST_MESSAGES;
      if (full && !packet.isEmpty()) {
        dispatch(address, packet);
        packet = new ArrayList<>();
        size = 0;
      }
      packet.add(bytes);
      size += bytes.length() + ROOM;
    }
    dispatch(address, packet);
  }

  private void dispatch(String address, List<Bytes> packet) {
    Encoder to = new Encoder(1024).varint(packet.size());
    packet.forEach(to::bytes);
    messages.addAndGet(packet.size());
    packets.incrementAndGet();
    transport.send(address, to.finish());
  }

  /**
   * The messages of a packet.
   *
   * @throws IllegalArgumentException when it is malformed
   */
  static List<NodeMessage> open(Bytes packet) {
    Decoder from = new Decoder(packet);
    int count = from.count(MOST_MESSAGES);
    List<NodeMessage> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(NodeMessage.decode(new Decoder(from.bytes())));
    }
    from.end();
    return all;
  }

  /** How many messages were sent. */
  long messages() {
    return messages.get();
  }

  /** How many packets they took. */
  long packets() {
    return packets.get();
  }

  @Override
  public void close() {
    closed = true;
    news.raise();
    task.join(STOP);
  }
}
