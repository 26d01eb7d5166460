package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.net.Arrivals;
import io.braid.core.net.Arrivals.Arrival;
import io.braid.core.net.StalledWrites;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.GroupException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where clients of a group node come in over TCP: a task for each, as long as it asks and takes
 * answers.
 */
final class GroupServer implements ClientNetwork.Server {
  private static final Logger LOG = LoggerFactory.getLogger(GroupServer.class);
  private static final int BACKLOG = 200;
  private static final int LOOK_MILLIS = 1000;

  /** Else a server that has no files left would do nothing but try. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerSocket listener;
  private final Trust trust;
  private final Roles roles;
  private final String host;
  private final Seams seams;
  private final int mostConnections;
  private final int patienceMillis;
  private final StalledWrites writes;
  private final Arrivals arrivals;
  private final PendingAnswers underWay;
  private final AtomicLong refused = new AtomicLong();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * The times since when the node waits for connections that have not identified themselves, or
   * have not sent a request.
   */
  private final Map<Socket, Long> speaking = new ConcurrentHashMap<>();

  GroupServer(NodeOptions options, Seams seams, Trust trust, Roles roles) {
    this(options, seams, trust, roles, Arrivals.ofMemory());
  }

  GroupServer(NodeOptions options, Seams seams, Trust trust, Roles roles, Arrivals arrivals) {
    this.arrivals = arrivals;
    this.trust = trust;
    this.roles = roles;
    this.host = options.host();
    this.seams = seams;
    this.mostConnections = options.mostConnections();
    this.patienceMillis = Math.toIntExact(Math.max(1, options.clientPatience().toMillis()));
    this.underWay = new PendingAnswers(seams);
    this.writes = new StalledWrites(seams, options.clientPatience());
    try {
      listener = trust.listen(new InetSocketAddress(host, options.port()), BACKLOG);
      listener.setSoTimeout(LOOK_MILLIS);
    } catch (IOException e) {
      throw new TabletUnavailableException(
          "TCP port " + options.port() + " of " + host + " is taken.", e);
    }
  }

  @Override
  public String address() {
    return host + ":" + listener.getLocalPort();
  }

  @Override
  public long refused() {
    return refused.get() + arrivals.cutOff();
  }

  /** Connections that there are. */
  int open() {
    return open.size();
  }

  /**
   * Returns the number of connections that have not identified themselves yet, or have not sent a
   * request.
   */
  int speaking() {
    return speaking.size();
  }

  @Override
  public void open(Function<Roles.Visitor, ClientNetwork.ClientSession> sessions) {
    seams.start("braid-group-door", EnduringLoop.loop(() -> accept(sessions)));
    // A task of its own: a client that takes nothing would hold up the server.
    seams.start("braid-group-waiting", EnduringLoop.loop(this::tellWaiting));
  }

  private void tellWaiting() {
    while (!listener.isClosed()) {
      seams.sleep(PendingAnswers.EACH.dividedBy(2));
      underWay.tell();
    }
  }

  private void accept(Function<Roles.Visitor, ClientNetwork.ClientSession> sessions) {
    while (!listener.isClosed()) {
      try {
        writes.end();
        endSlow();
        Socket socket = listener.accept();
        if (open.size() >= mostConnections) {
          LOG.warn("More than {} connections: {} is turned away.", mostConnections, socket);
          socket.close();
          continue;
        }
        admit(socket, sessions);
      } catch (SocketTimeoutException e) {
        LOG.trace("Nobody has come.");
      } catch (IOException e) {
        if (!listener.isClosed()) {
          LOG.warn("A connection was not accepted: {}", e.toString());
          seams.sleep(PAUSE);
        }
      }
    }
  }

  /**
   * Ends slow connections: a connection that sends slowly is not waited for longer than a silent
   * one.
   */
  private void endSlow() throws IOException {
    long now = seams.nanoTime();
    for (Map.Entry<Socket, Long> each : speaking.entrySet()) {
      if (now - each.getValue() > TimeUnit.MILLISECONDS.toNanos(patienceMillis)) {
        LOG.info("{} does not say who it is, or what it wants: it is turned away.", each.getKey());
        refused.incrementAndGet();
        speaking.remove(each.getKey());
        each.getKey().close();
      }
    }
  }

  private void admit(Socket socket, Function<Roles.Visitor, ClientNetwork.ClientSession> sessions)
      throws IOException {
    speaking.put(socket, seams.nanoTime());
    open.add(socket);
    try {
      seams.start("braid-group-client", () -> serve(socket, sessions));
    } catch (OutOfMemoryError e) {
      // The system has no thread for it. The client connects again when others have gone.
      forget(socket);
      socket.close();
      throw new IOException("No thread can be started.", e);
    }
  }

  private void forget(Socket socket) {
    open.remove(socket);
    speaking.remove(socket);
  }

  private void serve(Socket socket, Function<Roles.Visitor, ClientNetwork.ClientSession> sessions) {
    try (socket) {
      answer(socket, sessions);
    } catch (Handshake.RefusedException | GroupException | SSLException e) {
      refused.incrementAndGet();
      LOG.info("{} was turned away: {}", socket.getRemoteSocketAddress(), e.getMessage());
    } catch (IOException e) {
      LOG.debug("A connection ended: {}", e.toString());
    } finally {
      forget(socket);
    }
  }

  private void answer(Socket plain, Function<Roles.Visitor, ClientNetwork.ClientSession> sessions)
      throws IOException {
    plain.setTcpNoDelay(true);
    plain.setSoTimeout(patienceMillis);
    Socket socket = trust.hear(plain);
    DataInputStream from = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    DataOutputStream to =
        new DataOutputStream(
            new BufferedOutputStream(writes.watch(plain, socket.getOutputStream())));
    if (admit(from, to) != Wire.MAGIC) {
      throw new EOFException("A client that does not speak this protocol.");
    }
    ClientNetwork.ClientSession session = sessions.apply(visitor(socket, from, to));
    speaking.remove(plain);
    PendingAnswers.Line line = underWay.line(to);
    try {
      while (true) {
        awaitByte(from);
        speaking.put(plain, seams.nanoTime());
        try (Arrival frame = arrivals.begin(plain)) {
          Bytes request = Frames.read(from, frame);
          frame.end();
          speaking.remove(plain);
          line.begin();
          line.end(session.answer(request));
        }
      }
    } finally {
      line.close();
      session.end();
    }
  }

  private static void awaitByte(DataInputStream from) throws IOException {
    from.mark(1);
    if (from.read() < 0) {
      throw new EOFException("A client has gone.");
    }
    from.reset();
  }

  private Roles.Visitor visitor(Socket socket, DataInputStream from, DataOutputStream to)
      throws IOException {
    if (!(socket instanceof SSLSocket secure)) {
      return Roles.Visitor.ALL;
    }
    try {
      return roles.of(secure.getSession().getPeerPrincipal().getName());
    } catch (GroupException e) {
      refuse(from, to, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /** Answers the first request of a client that is not let in. */
  private static void refuse(DataInputStream from, DataOutputStream to, String why)
      throws IOException {
    from.skipNBytes(Math.min(Frames.MOST, Math.max(0, from.readInt())));
    Frames.write(to, Wire.failure(new GroupException(why, null)));
  }

  private long admit(DataInputStream from, DataOutputStream to) throws IOException {
    try {
      return trust.admit(from, to);
    } catch (Handshake.RefusedException e) {
      if (e.began() == Wire.MAGIC) {
        // It has no secret and waits for an answer to its first request.
        refuse(
            from,
            to,
            "This group node lets in who knows its secret: name its file in groups.secret.");
      }
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket each : open) {
        each.close();
      }
    } catch (IOException e) {
      LOG.debug("Not closed: {}", e.toString());
    }
  }
}
