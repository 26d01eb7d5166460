package io.braid.serving.redis;

import io.braid.core.net.StalledWrites;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.ListenException;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.http.AnswerMemory;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.RoutedReads;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node over the Redis protocol, reads only: any Redis client can read stores. The connections of
 * each address are limited, and each has a task of its own. Idle connections are closed, and those
 * of slow clients sooner.
 */
public final class RedisServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedisServer.class);
  private static final int BACKLOG = 128;
  private static final int LOOK_MILLIS = 1000;

  private final Seams seams;
  private final NodeService service;
  private final RoutedReads routed;
  private final Options options;
  private final ServerSocket server;
  private final StalledWrites writes;
  private final Task acceptor;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final RedisConnections connections;
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean closed;

  /**
   * How it behaves.
   *
   * @param databases the store of each database number
   * @param access who reads which stores
   * @param connections of one address, at most; of all four times as many
   * @param idle after this time without a command a connection is closed. Sooner, after 20 s, when
   *     a command comes slowly, an answer is not taken, or the password is missing
   */
  public record Options(
      Map<Integer, String> databases, RedisAccess access, int connections, Duration idle) {
    public static Options with(RedisAccess access) {
      return new Options(Map.of(), access, 256, Duration.ofMinutes(5));
    }

    public static Options defaults() {
      return with(RedisAccess.open());
    }
  }

  public RedisServer(Seams seams, NodeService service, InetSocketAddress address, Options options)
      throws IOException {
    this.seams = seams;
    this.service = service;
    this.routed = new RoutedReads(seams, service);
    this.options = options;
    this.connections = new RedisConnections(options.connections());
    this.writes = new StalledWrites(seams, sooner(options.idle()));
    this.server = new ServerSocket();
    server.setSoTimeout(LOOK_MILLIS);
    server.setReuseAddress(true);
    try {
      server.bind(address, BACKLOG);
    } catch (BindException e) {
      server.close();
      throw new ListenException(address, e);
    }
    this.acceptor = seams.start("redis", EnduringLoop.loop(this::accept));
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  private void accept() {
    while (!closed) {
      try {
        writes.end();
        Socket socket = server.accept();
        if (connections.enter(socket.getInetAddress())) {
          admit(socket);
        } else {
          refuse(socket);
        }
      } catch (SocketTimeoutException e) {
        LOG.trace("Nobody has come.");
      } catch (IOException e) {
        if (!closed) {
          LOG.warn("A connection could not be accepted.", e);
          seams.sleep(Duration.ofMillis(100));
        }
      }
    }
  }

  private void admit(Socket socket) throws IOException {
    open.add(socket);
    try {
      seams.start("redis-connection", () -> talk(socket));
    } catch (OutOfMemoryError e) {
      // The system has no thread for it; it comes again when others have gone.
      left(socket);
      refuse(socket);
    }
  }

  private static Duration sooner(Duration idle) {
    return idle.compareTo(RedisConnection.COMMAND) < 0 ? idle : RedisConnection.COMMAND;
  }

  private void left(Socket socket) {
    if (open.remove(socket)) {
      connections.leave(socket.getInetAddress());
    }
  }

  private static void refuse(Socket socket) throws IOException {
    try (socket) {
      socket
          .getOutputStream()
          .write("-ERR max number of clients reached\r\n".getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void talk(Socket socket) {
    try (socket) {
      try {
        answer(socket);
      } finally {
        // Before the socket is closed: a client that sees its end may connect again at once.
        left(socket);
      }
    } catch (EOFException e) {
      LOG.debug("A client left in the middle of a command.");
    } catch (IOException e) {
      LOG.debug("A connection has ended.", e);
    } catch (RuntimeException | VirtualMachineError e) {
      LOG.warn("A connection failed.", e);
    }
  }

  private void answer(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    RespWriter out = new RespWriter(writes.watch(socket));
    RedisConnection connection =
        new RedisConnection(seams, socket, out, connections, options.idle());
    RespReader in = new RespReader(socket.getInputStream(), connection);
    RedisSession session =
        new RedisSession(
            service, routed, options.databases(), options.access(), out, numbers.incrementAndGet());
    try {
      boolean more = true;
      while (more && !closed) {
        if (!session.isQueueing()) {
          in.release();
        }
        connection.know(session.isKnown());
        List<byte[]> command = in.next();
        try (AnswerMemory.Hold answer = AnswerMemory.hold()) {
          more = command != null && session.answer(command);
        }
      }
    } catch (RespException e) {
      out.error("ERR " + e.getMessage());
    } finally {
      in.release();
    }
    out.flush();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
    acceptor.stop();
    acceptor.join(Duration.ofSeconds(5));
  }
}
