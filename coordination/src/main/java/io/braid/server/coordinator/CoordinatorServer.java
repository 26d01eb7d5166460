package io.braid.server.coordinator;

import io.braid.core.net.Arrivals;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers other processes while this one is the coordinator; see {@link Frames}. */
final class CoordinatorServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorServer.class);
  private static final int MOST_CONNECTIONS = 2000;
  private static final int HELLO_MILLIS = 5000;
  private static final long HELLO_NANOS = 2L * HELLO_MILLIS * 1_000_000;

  /** A request that waits for hints may do so for a minute. */
  private static final long REQUEST_NANOS = 120_000_000_000L;

  private static final int BACKLOG = 200;
  private static final int FAREWELL_MILLIS = 200;
  private static final int FAREWELL_READS = 8;

  /**
   * The pause before another try when the process has no files left: without it the server would do
   * nothing but try.
   */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerSocket door;
  private final Seams seams;
  private final String token;
  private final Supplier<@Nullable Leadership> leadership;
  private final Trust trust;
  private final AtomicLong turnedAway = new AtomicLong();
  private final Map<Socket, Peer> open = new ConcurrentHashMap<>();
  private final Bounds bounds;
  private final Arrivals arrivals;

  /** The other end of a connection. */
  private final class Peer {
    private volatile String token = ""; // until it has said it, or if it has none
    private volatile boolean greeted;
    private volatile boolean asks = true; // or says who it is
    private volatile long since = seams.nanoTime();

    void greet(String own) {
      token = own;
      greeted = true;
    }

    /** The first byte of a request has come. */
    void ask() {
      since = seams.nanoTime();
      asks = true;
    }

    /** It has taken the answer. */
    void rest() {
      asks = false;
    }

    boolean isTooLong(long now) {
      return asks && now - since > (greeted ? REQUEST_NANOS : HELLO_NANOS);
    }
  }

  /**
   * @param trust decides which clients may connect
   * @param token of this process: clients that look for another process are turned away
   * @param leadership null while this process is not the coordinator
   */
  CoordinatorServer(
      InetAddress address,
      int port,
      Trust trust,
      Seams seams,
      String token,
      Supplier<@Nullable Leadership> leadership)
      throws IOException {
    this(
        new ServerSocket(port, BACKLOG, address),
        trust,
        seams,
        token,
        leadership,
        Bounds.of(Arrivals.ofMemory()));
  }

  /**
   * The limits for clients that connect.
   *
   * @param helloMillis how long a client that has not said who it is may send nothing
   */
  record Bounds(int connections, int helloMillis, Arrivals arrivals) {
    static Bounds of(Arrivals arrivals) {
      return new Bounds(MOST_CONNECTIONS, HELLO_MILLIS, arrivals);
    }
  }

  CoordinatorServer(
      ServerSocket door,
      Trust trust,
      Seams seams,
      String token,
      Supplier<@Nullable Leadership> leadership,
      Bounds bounds) {
    this.door = door;
    this.bounds = bounds;
    this.arrivals = bounds.arrivals();
    this.trust = trust;
    this.seams = seams;
    this.token = token;
    this.leadership = leadership;
    seams.start("braid-coordinator-door", EnduringLoop.loop(this::accept));
  }

  int connections() {
    return open.size();
  }

  /** Returns the number of connections with a request under way, or without a name so far. */
  long asking() {
    return open.values().stream().filter(peer -> peer.asks).count();
  }

  long turnedAway() {
    return turnedAway.get() + arrivals.cutOff();
  }

  int port() {
    return door.getLocalPort();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket socket = door.accept();
        if (open.size() >= bounds.connections()) {
          LOG.warn("More than {} connections: {} is turned away.", bounds.connections(), socket);
          turnedAway.incrementAndGet();
          socket.close();
          continue;
        }
        admit(socket, new Peer());
      } catch (IOException e) {
        if (!door.isClosed()) {
          LOG.warn("A connection was not accepted: {}", e.toString());
          seams.sleep(PAUSE);
        }
      }
    }
  }

  private void admit(Socket socket, Peer peer) throws IOException {
    open.put(socket, peer);
    try {
      seams.start("braid-coordinator-client", () -> serve(socket, peer));
    } catch (OutOfMemoryError e) {
      // The system has no thread for the connection. The client comes again when others have gone.
      open.remove(socket);
      turnedAway.incrementAndGet();
      socket.close();
      throw new IOException("No thread can be started.", e);
    }
  }

  private void serve(Socket socket, Peer peer) {
    Leadership serving = null;
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.setSoTimeout(bounds.helloMillis());
      Socket heard = admit(socket);
      DataInputStream from =
          new DataInputStream(
              new BufferedInputStream(heard.getInputStream(), CoordinatorConnection.BUFFER));
      DataOutputStream to =
          new DataOutputStream(
              new BufferedOutputStream(heard.getOutputStream(), CoordinatorConnection.BUFFER));
      if (!Frames.isGreeted(from, to)) {
        LOG.warn("{} does not speak the protocol of this release: it is turned away.", socket);
        turnedAway.incrementAndGet();
        return;
      }
      String wanted = Frames.readText(from);
      peer.greet(Frames.readText(from));
      serving = wanted.equals(token) ? leadership.get() : null;
      to.write(serving == null ? Frames.NOT_COORDINATOR : Frames.DONE);
      to.flush();
      socket.setSoTimeout(0);
      if (serving != null) {
        LeaderAnswers answers =
            new LeaderAnswers(serving, this::figure, arrivals, socket, from, to);
        while (serving == leadership.get()) {
          peer.rest();
          int kind = from.readUnsignedByte();
          peer.ask();
          answers.answer(kind);
        }
      }
    } catch (IOException e) {
      LOG.debug("A connection ended: {}", e.toString());
    } finally {
      open.remove(socket);
      if (serving != null) {
        serving.end(socket);
      }
    }
  }

  /**
   * Returns the socket to talk to the process at the other end, once it has proved its identity.
   */
  private Socket admit(Socket socket) throws IOException {
    try {
      return trust.admit(socket);
    } catch (SSLException e) {
      turnedAway.incrementAndGet();
      LOG.warn("{} is turned away: {}", socket, e.getMessage());
      sayGoodbye(socket);
      throw e;
    }
  }

  /**
   * Reads a little of the data that the other end has sent. With that data unread, the system would
   * discard the last answer to the other end.
   */
  private static void sayGoodbye(Socket socket) throws IOException {
    socket.shutdownOutput();
    socket.setSoTimeout(FAREWELL_MILLIS);
    byte[] rest = new byte[CoordinatorConnection.BUFFER];
    for (int i = 0; i < FAREWELL_READS && socket.getInputStream().read(rest) >= 0; i++) {
      // The bytes are discarded.
    }
  }

  /**
   * Returns a figure. The figures of connections are counted here, all others in the leadership.
   */
  long figure(Leadership leadership, ManagerFigure figure) {
    return switch (figure) {
      case CONNECTIONS -> connections();
      case TURNED_AWAY -> turnedAway();
      default -> leadership.figure(figure);
    };
  }

  /**
   * Ends the connections of processes that are gone: a process whose machine lost its power sends
   * nothing any more, and its locks must become free. Also ends connections that have not named
   * their process for too long, and those that neither send the rest of a request nor take its
   * answer.
   *
   * @param alive asked once for each process
   */
  void endGone(Predicate<String> alive) {
    long now = seams.nanoTime();
    Set<String> gone = new TreeSet<>();
    open.values().forEach(peer -> gone.add(peer.token));
    gone.removeIf(token -> token.isEmpty() || alive.test(token));
    open.forEach(
        (socket, peer) -> {
          if (gone.contains(peer.token)) {
            LOG.info("Process {} is gone: its connection is ended.", peer.token);
            end(socket);
          } else if (peer.isTooLong(now)) {
            LOG.warn("{} does not say who it is, or what it wants: it is turned away.", socket);
            turnedAway.incrementAndGet();
            end(socket);
          }
        });
  }

  /** Ends all connections, so that clients look for the next coordinator at once. */
  void endAll() {
    open.keySet().forEach(CoordinatorServer::end);
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("A connection was not closed: {}", e.toString());
    }
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      LOG.debug("The door was not closed: {}", e.toString());
    }
    endAll();
  }
}
