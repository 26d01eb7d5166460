package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.protocol.Messaging;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packets as frames over TCP: the network of section 4.1. What a connection loses when it breaks is
 * sent again over the next one; the receiver counts, so that nothing comes twice.
 *
 * <p>A connection carries packets one way. The sender begins with magic and a number that names
 * this life of it; then each frame is the number of a packet, counted from 1 on, and the packet.
 * The receiver answers each with its number.
 */
public final class TcpTransport implements Transport {
  static final long MAGIC = 0x4252_4149_4447_5431L; // BRAIDGT1

  private static final Logger LOG = LoggerFactory.getLogger(TcpTransport.class);
  private static final int BACKLOG = 100;
  private static final int MOST_CONNECTIONS = 1000;
  private static final int HELLO_MILLIS = 5000;
  private static final int HEAD = 16;

  private final ServerSocket door;
  private final Trust trust;
  private final Seams seams;
  private final String host;
  private final long life;
  private final Map<String, TcpChannel> channels = new ConcurrentHashMap<>();
  private final Senders senders = new Senders();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong refused = new AtomicLong();
  private volatile boolean closed;

  /**
   * @param host where others reach this
   * @param port 0 for any
   */
  public TcpTransport(String host, int port, Seams seams, Trust trust) {
    this.trust = trust;
    this.host = host;
    this.seams = seams;
    this.life = seams.random().nextLong();
    try {
      door = trust.listen(new InetSocketAddress(host, port), BACKLOG);
    } catch (IOException e) {
      throw new TabletUnavailableException("TCP port " + port + " of " + host + " is taken.", e);
    }
  }

  @Override
  public Messaging messaging() {
    return Messaging.RELIABLE;
  }

  @Override
  public String address() {
    return host + ":" + door.getLocalPort();
  }

  @Override
  public int limit() {
    return Frames.MOST - HEAD;
  }

  @Override
  public void start(Receiver receiver) {
    seams.start("braid-group-messages", () -> accept(receiver));
  }

  private void accept(Receiver receiver) {
    while (!closed) {
      try {
        Socket socket = door.accept();
        if (open.size() >= MOST_CONNECTIONS) {
          socket.close();
          continue;
        }
        open.add(socket);
        seams.start("braid-group-peer", () -> serve(socket, receiver));
      } catch (IOException e) {
        LOG.debug("A connection was not accepted: {}", e.toString());
      }
    }
  }

  private void serve(Socket socket, Receiver receiver) {
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(HELLO_MILLIS);
      DataInputStream from = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      DataOutputStream to =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      if (trust.admit(from, to) != MAGIC) {
        refused.incrementAndGet();
        return;
      }
      Senders.Sender sender = senders.of(from.readLong());
      socket.setSoTimeout(0);
      while (!closed) {
        Decoder frame = new Decoder(Frames.read(from));
        long number = frame.int64();
        deliver(sender, number, frame.rest(), receiver);
        to.writeLong(number);
        to.flush();
      }
    } catch (IllegalArgumentException | Handshake.RefusedException | SSLException e) {
      refused.incrementAndGet();
      LOG.debug("A connection or a packet was refused.", e);
    } catch (IOException e) {
      LOG.debug("A connection ended: {}", e.toString());
    } finally {
      open.remove(socket);
    }
  }

  /** A receiver that began anew takes what comes first for the beginning. */
  private void deliver(Senders.Sender sender, long number, Bytes packet, Receiver receiver) {
    synchronized (sender) {
      if (!sender.isNew(number)) {
        return;
      }
      try {
        receiver.receive(packet);
      } catch (IllegalArgumentException e) {
        refused.incrementAndGet();
        LOG.debug("A packet was refused.", e);
      }
    }
  }

  @Override
  public void send(String address, Bytes packet) {
    channels
        .computeIfAbsent(
            address, to -> new TcpChannel(to, hello(), seams, trust, () -> channels.remove(to)))
        .send(packet);
  }

  private Bytes hello() {
    return new Encoder(HEAD).int64(MAGIC).int64(life).finish();
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    closed = true;
    channels.values().forEach(TcpChannel::close);
    try {
      door.close();
      for (Socket each : open) {
        each.close();
      }
    } catch (IOException e) {
      LOG.debug("Not closed: {}", e.toString());
    }
  }
}
