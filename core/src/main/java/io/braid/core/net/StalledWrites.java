package io.braid.core.net;

import io.braid.core.runtime.Seams;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends connections whose clients do not read the data that is written to them. A socket has a time
 * limit for reads, but none for writes. Without a limit, a client that sends requests and never
 * reads would block a task for ever, and everything that the task holds.
 */
public final class StalledWrites {
  /**
   * Bytes per piece of a write. Each piece that goes through shows that the other side reads,
   * however long the write is.
   */
  private static final int PIECE = 16 * 1024;

  private final Seams seams;
  private final Duration most;
  private final Map<Socket, Long> since = new ConcurrentHashMap<>();

  /**
   * @param most how long one piece of a write may take
   */
  public StalledWrites(Seams seams, Duration most) {
    this.seams = seams;
    this.most = most;
  }

  /** Returns the output stream of a connection, and watches the time that its writes take. */
  public OutputStream watch(Socket socket) throws IOException {
    return watch(socket, socket.getOutputStream());
  }

  /**
   * The same.
   *
   * @param socket the connection, which ends at once when it is closed
   * @param to leads to it, through TLS for one
   */
  public OutputStream watch(Socket socket, OutputStream to) {
    return new FilterOutputStream(to) {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] from, int offset, int length) throws IOException {
        try {
          for (int at = 0; at < length; at += PIECE) {
            since.put(socket, seams.nanoTime());
            out.write(from, offset + at, Math.min(PIECE, length - at));
          }
        } finally {
          since.remove(socket);
        }
      }
    };
  }

  /**
   * Ends the connections whose writes have been stalled for too long.
   *
   * @return how many
   */
  public int end() {
    long now = seams.nanoTime();
    int ended = 0;
    for (Map.Entry<Socket, Long> each : since.entrySet()) {
      if (now - each.getValue() > most.toNanos()) {
        end(each.getKey());
        ended++;
      }
    }
    return ended;
  }

  private static void end(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It has ended by itself.
    }
  }
}
