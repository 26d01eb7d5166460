package io.braid.serving.redis;

import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * The waits of a connection, and their limits. The wait between two commands may be long. A command
 * that has begun must end soon, and so must the wait for a password. Before the connection waits,
 * it sends its answers.
 */
final class RedisConnection implements RespReader.Carrier {
  /** How long a command may be on its way, from its first byte to its last. */
  static final Duration COMMAND = Duration.ofSeconds(20);

  private static final long NONE = -1;

  private final Seams seams;
  private final Socket socket;
  private final RespWriter out;
  private final RedisConnections all;
  private final Duration idle;
  private final long opened;
  private volatile boolean known;
  private long begun = NONE;

  RedisConnection(Seams seams, Socket socket, RespWriter out, RedisConnections all, Duration idle) {
    this.seams = seams;
    this.socket = socket;
    this.out = out;
    this.all = all;
    this.idle = idle;
    this.opened = seams.nanoTime();
  }

  private InetAddress from() {
    return socket.getInetAddress();
  }

  /** The client has given its password, or needs none. */
  void know(boolean yes) {
    known = yes;
  }

  @Override
  public void next() {
    begun = NONE;
  }

  @Override
  public void waits(boolean inCommand) throws IOException {
    out.flush();
    Duration left = idle;
    if (inCommand) {
      begun = begun == NONE ? seams.nanoTime() : begun;
      left = left(begun);
    } else if (!known) {
      left = left(opened);
    }
    if (left.toMillis() <= 0) {
      throw new SocketTimeoutException("Too slow.");
    }
    socket.setSoTimeout((int) left.toMillis());
  }

  private Duration left(long since) {
    Duration left = COMMAND.minusNanos(seams.nanoTime() - since);
    return left.compareTo(idle) < 0 ? left : idle;
  }

  @Override
  public boolean take(int bytes) {
    return all.take(from(), bytes);
  }

  @Override
  public void giveBack(long bytes) {
    all.giveBack(from(), bytes);
  }
}
