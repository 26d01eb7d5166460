package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.protocol.Messaging;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packets as datagrams: the network of section 4.2. Each has a checksum; or, if there is a secret,
 * a code that only an owner of the secret can make.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class UdpTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(UdpTransport.class);
  private static final int MAGIC = 0x42_47_55_31; // BGU1
  private static final int SEALED = 0x42_47_55_32; // BGU2
  private static final int HEAD = 4 + Secret.CODE;
  private static final int MOST = 60_000;
  private static final int BUFFER = 1 << 22;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration STOP = Duration.ofSeconds(2);

  private final DatagramSocket socket;
  private final Seams seams;
  private final String host;
  private final Optional<Secret> secret;
  private final AtomicLong refused = new AtomicLong();
  private @Nullable Task task;

  /**
   * @param host where others reach this
   * @param port 0 for any
   */
  public UdpTransport(String host, int port, Seams seams, Optional<Secret> secret) {
    this.secret = secret;
    this.host = host;
    this.seams = seams;
    try {
      socket = new DatagramSocket(new InetSocketAddress(host, port));
      socket.setReceiveBufferSize(BUFFER);
    } catch (SocketException e) {
      throw new TabletUnavailableException("UDP port " + port + " of " + host + " is taken.", e);
    }
  }

  @Override
  public Messaging messaging() {
    return Messaging.UNRELIABLE;
  }

  @Override
  public String address() {
    return host + ":" + socket.getLocalPort();
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
    int magic = secret.isPresent() ? SEALED : MAGIC;
    byte[] code = new byte[secret.isPresent() ? Secret.CODE : Integer.BYTES];
    if (length < Integer.BYTES + code.length || bytes.getInt() != magic) {
      throw new IllegalArgumentException("A datagram that does not speak this protocol.");
    }
    bytes.get(code);
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    if (!MessageDigest.isEqual(code, code(content))) {
      throw new IllegalArgumentException(
          "A datagram that was damaged on its way, or made by who does not know the secret.");
    }
    return Bytes.wrap(content, 0, content.length);
  }

  private byte[] code(byte[] content) {
    return secret
        .map(each -> each.code(content))
        .orElseGet(() -> ByteBuffer.allocate(Integer.BYTES).putInt(checksum(content)).array());
  }

  private static int checksum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, content.length);
    return (int) crc.getValue();
  }

  @Override
  public void send(String address, Bytes packet) {
    byte[] content = packet.toArray();
    byte[] code = code(content);
    byte[] all =
        ByteBuffer.allocate(Integer.BYTES + code.length + content.length)
            .putInt(secret.isPresent() ? SEALED : MAGIC)
            .put(code)
            .put(content)
            .array();
    try {
      socket.send(new DatagramPacket(all, all.length, Addresses.parse(address)));
    } catch (IOException e) {
      LOG.debug("A datagram to {} was not sent: {}", address, e.toString());
    }
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
