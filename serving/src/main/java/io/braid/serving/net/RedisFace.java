package io.braid.serving.net;

import io.braid.core.net.StalledWrites;
import io.braid.core.runtime.ListenException;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node over the Redis protocol, reads only: whoever has a client for it can read stores. So many
 * connections at a time, each with a task of its own; idle ones are closed, and those whose clients
 * do not take their answers.
 */
public final class RedisFace implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedisFace.class);
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
  private volatile boolean closed;

  /**
   * How it behaves.
   *
   * @param databases the store of each database number
   * @param token that clients must AUTH with; empty: none
   * @param connections at most
   * @param idle after this time without a command, or without taking an answer, a connection is
   *     closed
   */
  public record Options(
      Map<Integer, String> databases, String token, int connections, Duration idle) {
    public static Options defaults() {
      return new Options(Map.of(), "", 256, Duration.ofMinutes(5));
    }
  }

  public RedisFace(Seams seams, NodeService service, InetSocketAddress address, Options options)
      throws IOException {
    this.seams = seams;
    this.service = service;
    this.routed = new RoutedReads(seams, service);
    this.options = options;
    this.writes = new StalledWrites(seams, options.idle());
    this.server = new ServerSocket();
    server.setSoTimeout(LOOK_MILLIS);
    server.setReuseAddress(true);
    try {
      server.bind(address, BACKLOG);
    } catch (BindException e) {
      server.close();
      throw new ListenException(address, e);
    }
    this.acceptor = seams.start("redis", this::accept);
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
        if (open.size() >= options.connections()) {
          refuse(socket);
        } else {
          admit(socket);
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
      open.remove(socket);
      refuse(socket);
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
        // Before it is closed: who sees its end may connect again at once.
        open.remove(socket);
      }
    } catch (EOFException e) {
      LOG.debug("A client left in the middle of a command.");
    } catch (IOException e) {
      LOG.debug("A connection has ended.", e);
    } catch (RuntimeException e) {
      LOG.warn("A connection failed.", e);
    }
  }

  private void answer(Socket socket) throws IOException {
    socket.setSoTimeout((int) options.idle().toMillis());
    socket.setTcpNoDelay(true);
    RespReader in = new RespReader(socket.getInputStream());
    RespWriter out = new RespWriter(writes.watch(socket));
    RedisSession session =
        new RedisSession(service, routed, options.databases(), options.token(), out);
    try {
      boolean more = true;
      while (more && !closed) {
        List<byte[]> command = in.next();
        more = command != null && session.answer(command);
        if (!more || !in.hasMore()) {
          out.flush();
        }
      }
    } catch (RespException e) {
      out.error("ERR " + e.getMessage());
      out.flush();
    }
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
