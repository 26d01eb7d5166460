package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.Enduring;
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
 * Sends letters to other nodes, all that wait for the same node in one packet. A packet is a count
 * and that many letters, each a byte string.
 */
final class PostOffice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostOffice.class);
  private static final int MOST_LETTERS = 10_000;
  private static final int ROOM = 32;
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration STOP = Duration.ofSeconds(5);

  private final Transport transport;
  private final NodeDirectory nodes;
  private final Map<String, List<Letter>> waiting = new TreeMap<>();
  private final Signal news;
  private final Task task;
  private final AtomicLong letters = new AtomicLong();
  private final AtomicLong packets = new AtomicLong();
  private volatile boolean closed;

  PostOffice(Transport transport, NodeDirectory nodes, Seams seams) {
    this.transport = transport;
    this.nodes = nodes;
    this.news = seams.signal();
    this.task = seams.start("braid-group-post", Enduring.loop(this::run));
  }

  /** Takes a letter; does not wait. */
  void post(Letter letter) {
    synchronized (waiting) {
      waiting.computeIfAbsent(letter.to(), to -> new ArrayList<>()).add(letter);
    }
    news.raise();
  }

  private void run() {
    while (!closed) {
      news.await(LOOK);
      try {
        taken().forEach(this::sendIfPossible);
      } catch (VirtualMachineError e) {
        LOG.warn("Letters wait until there is memory again.", e);
      }
    }
  }

  private Map<String, List<Letter>> taken() {
    synchronized (waiting) {
      Map<String, List<Letter>> all = new TreeMap<>(waiting);
      waiting.clear();
      return all;
    }
  }

  /** Sends letters to a node if possible. One unreachable node does not block the rest. */
  private void sendIfPossible(String to, List<Letter> all) {
    try {
      send(to, all);
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      LOG.warn("{} letters for {} cannot be sent.", all.size(), to, e);
    }
  }

  private void send(String to, List<Letter> all) {
    String address = nodes.named(to).map(NodeInfo::messages).orElse("");
    if (address.isEmpty()) {
      LOG.debug("{} letters are for {}, which is not there.", all.size(), to);
      return;
    }
    Deque<Letter> rest = new ArrayDeque<>(all);
    List<Bytes> packet = new ArrayList<>();
    int size = 0;
    while (!rest.isEmpty()) {
      Letter letter = rest.removeFirst();
      Encoder one = new Encoder(256);
      letter.encode(one);
      Bytes bytes = one.finish();
      if (bytes.length() + ROOM > transport.limit() && letter.isDivisible()) {
        List<Letter> halves = letter.halves();
        rest.addFirst(halves.get(1));
        rest.addFirst(halves.get(0));
        continue;
      }
      boolean full =
          size + bytes.length() + ROOM > transport.limit() || packet.size() == MOST_LETTERS;
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
    letters.addAndGet(packet.size());
    packets.incrementAndGet();
    transport.send(address, to.finish());
  }

  /**
   * The letters of a packet.
   *
   * @throws IllegalArgumentException when it is malformed
   */
  static List<Letter> open(Bytes packet) {
    Decoder from = new Decoder(packet);
    int count = from.count(MOST_LETTERS);
    List<Letter> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(Letter.decode(new Decoder(from.bytes())));
    }
    from.end();
    return all;
  }

  /** How many letters were sent. */
  long letters() {
    return letters.get();
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
