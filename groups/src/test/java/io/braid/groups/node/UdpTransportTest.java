package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 58: datagrams of strangers, damaged ones, and those that are too long, are refused. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UdpTransportTest {
  private static final int PLAIN = 0x42_47_55_31;
  private static final int SEALED = 0x42_47_55_32;

  private static UdpTransport transport() {
    return new UdpTransport("127.0.0.1", 0, new SystemSeams(), Optional.empty());
  }

  /** A datagram with a right checksum. */
  private static byte[] datagram(int magic, byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, content.length);
    return ByteBuffer.allocate(8 + content.length)
        .putInt(magic)
        .putInt((int) crc.getValue())
        .put(content)
        .array();
  }

  private static void send(UdpTransport to, byte[] bytes) throws IOException {
    int port = Addresses.parse(to.address()).getPort();
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }
  }

  private static void awaitRefused(UdpTransport by, long count) {
    while (by.refused() < count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatIsNoDatagramOfANodeIsRefused() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (UdpTransport to = transport()) {
      to.start(arrived::add);
      byte[] damaged = datagram(PLAIN, new byte[100]);
      damaged[50] = 1;
      send(to, new byte[0]);
      awaitRefused(to, 1);
      send(to, new byte[] {0x42, 0x47, 0x55});
      awaitRefused(to, 2);
      send(to, ByteBuffer.allocate(6).putInt(PLAIN).array());
      awaitRefused(to, 3);
      send(to, datagram(SEALED, new byte[100]));
      awaitRefused(to, 4);
      send(to, damaged);
      awaitRefused(to, 5);
      send(to, datagram(PLAIN, new byte[64_000]));
      awaitRefused(to, 6);
      send(to, datagram(PLAIN, new byte[] {7}));
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(Bytes.wrap(new byte[] {7}));
      assertThat(arrived).isEmpty();
      assertThat(to.refused()).isEqualTo(6);
    }
  }

  @Test
  void aPacketAsLongAsMayBeArrives() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    try (UdpTransport to = transport();
        UdpTransport from = transport()) {
      to.start(arrived::add);
      Bytes large = Bytes.wrap(new byte[from.limit()]);
      from.send(to.address(), large);
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(large);
    }
  }

  /** One that the code is too small for, or for which the system has no thread. */
  @Test
  void anErrorIsNotTheEndOfListening() throws Exception {
    BlockingQueue<Bytes> arrived = new LinkedBlockingQueue<>();
    Bytes bad = Bytes.of("bad");
    try (UdpTransport to = transport();
        UdpTransport from = transport()) {
      to.start(
          packet -> {
            arrived.add(packet);
            if (packet.equals(bad)) {
              throw new StackOverflowError("on purpose");
            }
          });
      from.send(to.address(), bad);
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(bad);
      from.send(to.address(), Bytes.of("good"));
      assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo(Bytes.of("good"));
    }
  }
}
