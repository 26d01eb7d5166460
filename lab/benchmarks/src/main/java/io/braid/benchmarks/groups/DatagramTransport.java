package io.braid.benchmarks.groups;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.node.Transport;
import io.braid.groups.protocol.Messaging;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packets as datagrams: the network of section 4.2 of the paper on G-Store, where anything may
 * happen to a message. Each has a checksum.
 */
final class DatagramTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(DatagramTransport.class);
  private static final String HOST = "127.0.0.1";
  private static final int MAGIC = 0x42_47_55_31; // BGU1
  private static final int HEAD = 8;
  private static final int MOST = 60_000;
  private static final int BUFFER = 1 << 22;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration STOP = Duration.ofSeconds(2);

  private final DatagramSocket socket;
  private final Seams seams;
  private final AtomicLong refused = new AtomicLong();
  private @Nullable Task task;

  DatagramTransport(Seams seams) {
    this.seams = seams;
    try {
      socket = new DatagramSocket(new InetSocketAddress(HOST, 0));
      socket.setReceiveBufferSize(BUFFER);
    } catch (SocketException e) {
      throw new TabletUnavailableException("No UDP port is free.", e);
    }
  }

  @Override
  public Messaging messaging() {
    return Messaging.UNRELIABLE;
  }

  @Override
  public String address() {
    return HOST + ":" + socket.getLocalPort();
  }

  @Override
  public int limit() {
    return MOST - HEAD;
  }

  @Override
  public void start(Receiver receiver) {
    task = seams.start("braid-group-datagrams", () -> listen(receiver));
  }

  private void listen(Receiver receiver) {
    byte[] buffer = new byte[MOST];
    while (!socket.isClosed()) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        socket.receive(packet);
        receiver.receive(content(packet.getData(), packet.getLength()));
      } catch (IllegalArgumentException e) {
        refused.incrementAndGet();
        LOG.debug("A datagram was refused.", e);
      } catch (IOException e) {
        LOG.debug("No datagram: {}", e.toString());
        if (!socket.isClosed()) {
          seams.sleep(PAUSE);
        }
      } catch (RuntimeException | Error e) {
        // The task goes on: no other task would listen.
        LOG.warn("A datagram could not be dealt with; its sender will ask again.", e);
      }
    }
  }

  private Bytes content(byte[] data, int length) {
    ByteBuffer bytes = ByteBuffer.wrap(data, 0, length);
    if (length < HEAD || bytes.getInt() != MAGIC) {
      throw new IllegalArgumentException("A datagram that does not speak this protocol.");
    }
    int checksum = bytes.getInt();
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    if (checksum != checksum(content)) {
      throw new IllegalArgumentException("A datagram that was damaged on its way.");
    }
    return Bytes.wrap(content, 0, content.length);
  }

  private static int checksum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, content.length);
    return (int) crc.getValue();
  }

  @Override
  public void send(String address, Bytes packet) {
    byte[] content = packet.toArray();
    byte[] all =
        ByteBuffer.allocate(HEAD + content.length)
            .putInt(MAGIC)
            .putInt(checksum(content))
            .put(content)
            .array();
    try {
      socket.send(new DatagramPacket(all, all.length, at(address)));
    } catch (IOException e) {
      LOG.debug("A datagram to {} was not sent: {}", address, e.toString());
    }
  }

  private static InetSocketAddress at(String address) {
    int colon = address.lastIndexOf(':');
    return new InetSocketAddress(
        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    socket.close();
    Task running = task;
    if (running != null) {
      running.join(STOP);
    }
  }
}
