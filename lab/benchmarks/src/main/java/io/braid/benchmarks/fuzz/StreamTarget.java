package io.braid.benchmarks.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A protocol over connections. A connection begins validly, so that the receiver does not reject it
 * at once, and continues with changed frames. It ends properly, in the middle of a frame, or by a
 * reset.
 */
final class StreamTarget implements Target {
  private static final int MOST_FRAMES = 40;
  private static final int PATIENCE_MILLIS = 100;

  private final String name;
  private final InetSocketAddress at;
  private final Opening opening;
  private final List<byte[]> frames;
  private final Asking asking;

  /** A well-behaved client. */
  interface Asking {
    void ask() throws Exception;
  }

  /** The beginning of a connection. */
  interface Opening {
    byte[] of(SplittableRandom random);
  }

  /**
   * @param opening the beginning of each connection
   * @param frames the frames that can follow
   */
  StreamTarget(
      String name, InetSocketAddress at, Opening opening, List<byte[]> frames, Asking asking) {
    this.name = name;
    this.at = at;
    this.opening = opening;
    this.frames = frames;
    this.asking = asking;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void ask() throws Exception {
    asking.ask();
  }

  @Override
  public void send(int count, SplittableRandom random) throws IOException {
    Mutation mutation = new Mutation(random);
    int left = count;
    while (left > 0) {
      int most = Math.min(left, 1 + random.nextInt(MOST_FRAMES));
      left -= Math.max(1, connection(most, mutation, random));
    }
  }

  /** Uses one connection and returns the number of frames sent. */
  private int connection(int most, Mutation mutation, SplittableRandom random) throws IOException {
    int sent = 0;
    try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      // Otherwise so many connections would leave no free port for a while.
      socket.setSoLinger(true, 0);
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      try {
        byte[] first = opening.of(random);
        out.write(random.nextInt(10) == 0 ? mutation.of(first) : first);
        while (sent < most) {
          out.write(mutation.of(frames.get(random.nextInt(frames.size()))));
          sent++;
          in.skipNBytes(in.available());
        }
        if (random.nextInt(32) == 0) {
          socket.shutdownOutput();
          drain(in);
        }
      } catch (IOException e) {
        return sent; // The server may close the connection.
      }
    }
    return sent;
  }

  private static void drain(InputStream in) throws IOException {
    byte[] buffer = new byte[8192];
    for (int n = 0; n >= 0; n = in.read(buffer)) {
      // The answers to malformed frames carry no information.
    }
  }
}
