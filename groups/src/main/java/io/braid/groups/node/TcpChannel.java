package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one node: packets are kept until they are acknowledged. A node that cannot be reached
 * for a minute is given up, with all that waits for it; it is dead, and what it was told does not
 * matter any more.
 */
final class TcpChannel implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TcpChannel.class);
  private static final int CONNECT_MILLIS = 2000;
  private static final int ANSWER_MILLIS = 10_000;
  private static final int WINDOW = 64;
  private static final Duration GIVE_UP = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(500);

  private final String address;
  private final Bytes hello;
  private final Seams seams;
  private final Trust trust;
  private final Runnable givenUp;
  private final Deque<Bytes> waiting = new ArrayDeque<>();
  private final Signal news;
  private long lastNumber;
  private volatile boolean closed;

  TcpChannel(String address, Bytes hello, Seams seams, Trust trust, Runnable givenUp) {
    this.trust = trust;
    this.address = address;
    this.hello = hello;
    this.seams = seams;
    this.givenUp = givenUp;
    this.news = seams.signal();
    seams.start("braid-group-channel", this::run);
  }

  void send(Bytes packet) {
    synchronized (waiting) {
      Bytes number = Bytes.ofLong(++lastNumber);
      waiting.add(new Encoder(packet.length() + Long.BYTES).raw(number).raw(packet).finish());
    }
    news.raise();
  }

  private void run() {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(5), Duration.ofSeconds(1));
    while (!closed) {
      try (Socket socket = trust.connect(address, CONNECT_MILLIS, ANSWER_MILLIS)) {
        try {
          carry(socket);
        } finally {
          backoff = new Backoff(seams, Duration.ofMillis(5), Duration.ofSeconds(1));
        }
      } catch (NodeRefusedException e) {
        LOG.warn("{}", e.getMessage());
      } catch (IOException e) {
        LOG.debug("The connection to {} broke: {}", address, e.toString());
      }
      if (!closed && (!backoff.pause() || backoff.elapsed().compareTo(GIVE_UP) > 0)) {
        LOG.warn("Node {} cannot be reached: given up.", address);
        closed = true;
        givenUp.run();
      }
    }
  }

  private void carry(Socket socket) throws IOException {
    DataInputStream from = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    DataOutputStream to = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    trust.present(address, from, to);
    to.write(hello.toArray());
    to.flush();
    while (!closed) {
      List<Bytes> batch = next();
      if (batch.isEmpty()) {
        news.await(LOOK);
        continue;
      }
      for (Bytes frame : batch) {
        Frames.write(to, frame);
      }
      for (Bytes frame : batch) {
        if (from.readLong() != frame.longAt(0)) {
          throw new IOException("An acknowledgment out of order.");
        }
        synchronized (waiting) {
          waiting.removeFirst();
        }
      }
    }
  }

  private List<Bytes> next() {
    synchronized (waiting) {
      return new ArrayList<>(waiting.stream().limit(WINDOW).toList());
    }
  }

  @Override
  public void close() {
    closed = true;
    news.raise();
  }
}
