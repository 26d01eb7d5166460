package io.braid.benchmarks.fuzz;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;

/**
 * The messages of group nodes as datagrams. Half of them have a correct checksum, so that the
 * receiver looks at their contents.
 */
final class DatagramTarget implements Target {
  private static final int MAGIC = 0x42_47_55_31;
  private static final int MOST = 60_000;

  private final InetSocketAddress at;
  private final List<byte[]> packets;
  private final StreamTarget.Asking asking;

  DatagramTarget(InetSocketAddress at, List<byte[]> packets, StreamTarget.Asking asking) {
    this.at = at;
    this.packets = packets;
    this.asking = asking;
  }

  @Override
  public String name() {
    return "group messages over UDP";
  }

  @Override
  public void ask() throws Exception {
    asking.ask();
  }

  @Override
  public void send(int frames, SplittableRandom random) throws IOException {
    Mutation mutation = new Mutation(random);
    try (DatagramSocket socket = new DatagramSocket()) {
      for (int i = 0; i < frames; i++) {
        byte[] content = mutation.of(packets.get(random.nextInt(packets.size())));
        byte[] whole = random.nextBoolean() ? sealed(content) : mutation.of(sealed(content));
        int length = Math.min(MOST, whole.length);
        socket.send(new DatagramPacket(whole, length, at.getAddress(), at.getPort()));
        if (i % 64 == 63) {
          LockSupport.parkNanos(200_000); // Otherwise most would be dropped.
        }
      }
    }
  }

  private static byte[] sealed(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, content.length);
    return ByteBuffer.allocate(8 + content.length)
        .putInt(MAGIC)
        .putInt((int) crc.getValue())
        .put(content)
        .array();
  }
}
