package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers other processes while this one is the coordinator; see {@link Frames}. */
final class CoordinatorServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorServer.class);
  private static final int MOST_CONNECTIONS = 2000;
  private static final int HELLO_MILLIS = 5000;
  private static final int BACKLOG = 200;

  private final ServerSocket door;
  private final Seams seams;
  private final String token;
  private final Supplier<@Nullable Office> office;
  // With the token of the process at the other end; empty until it has said it, or if it has none.
  private final Map<Socket, String> open = new ConcurrentHashMap<>();

  /**
   * @param token of this process: who looks for another one is at the wrong door
   * @param office null while this process is not the coordinator
   */
  CoordinatorServer(
      InetAddress address, int port, Seams seams, String token, Supplier<@Nullable Office> office)
      throws IOException {
    this.door = new ServerSocket(port, BACKLOG, address);
    this.seams = seams;
    this.token = token;
    this.office = office;
    seams.start("braid-coordinator-door", this::accept);
  }

  int connections() {
    return open.size();
  }

  int port() {
    return door.getLocalPort();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket socket = door.accept();
        if (open.size() >= MOST_CONNECTIONS) {
          LOG.warn("More than {} connections: {} is turned away.", MOST_CONNECTIONS, socket);
          socket.close();
          continue;
        }
        open.put(socket, "");
        seams.start("braid-coordinator-client", () -> serve(socket));
      } catch (IOException e) {
        if (!door.isClosed()) {
          LOG.warn("A connection was not accepted: {}", e.toString());
        }
      }
    }
  }

  private void serve(Socket socket) {
    Office serving = null;
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.setSoTimeout(HELLO_MILLIS);
      DataInputStream from =
          new DataInputStream(
              new BufferedInputStream(socket.getInputStream(), CoordinatorConnection.BUFFER));
      DataOutputStream to =
          new DataOutputStream(
              new BufferedOutputStream(socket.getOutputStream(), CoordinatorConnection.BUFFER));
      if (!Frames.isGreeted(from)) {
        LOG.warn("{} does not speak the protocol of this release: it is turned away.", socket);
        to.write(Frames.OTHER_RELEASE);
        to.flush();
        return;
      }
      String wanted = Frames.readText(from);
      open.replace(socket, Frames.readText(from));
      serving = wanted.equals(token) ? office.get() : null;
      to.write(serving == null ? Frames.NOT_COORDINATOR : Frames.DONE);
      to.flush();
      socket.setSoTimeout(0);
      CommitMessage commits = new CommitMessage();
      while (serving != null && serving == office.get()) {
        int kind = from.readUnsignedByte();
        if (kind == Frames.COMMIT) {
          commit(serving, commits, from, to);
        } else if (isMessage(kind)) {
          message(serving, socket, kind, from, to);
        } else {
          answer(serving, kind, from, to);
        }
        to.flush();
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

  private static void commit(
      Office office, CommitMessage message, DataInputStream from, DataOutputStream to)
      throws IOException {
    message.receive(from);
    List<WriteSet> batch = message.requested();
    Verdict[] verdicts = new Verdict[batch.size()];
    try {
      office.commit(batch, verdicts);
      message.answer(batch, verdicts);
      to.write(Frames.DONE);
      message.send(to);
    } catch (NotCoordinatorException e) {
      to.write(Frames.NOT_COORDINATOR);
    } catch (TimestampUnavailableException e) {
      to.write(Frames.FAILED);
      Frames.writeText(to, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isMessage(int kind) {
    return kind == Frames.LOCKS || kind == Frames.OFFER_HINTS || kind == Frames.TAKE_HINTS;
  }

  private static void message(
      Office office, Socket session, int kind, DataInputStream from, DataOutputStream to)
      throws IOException {
    Bytes request = Frames.readMessage(from);
    try {
      Bytes answer =
          switch (kind) {
            case Frames.LOCKS -> LockMessage.decode(request).applyTo(office.locks(), session);
            case Frames.OFFER_HINTS -> {
              HintBoard hints = office.hints();
              HintMessage.offered(request).forEach(each -> hints.offer(each.topic(), each.hint()));
              yield Bytes.EMPTY;
            }
            default -> {
              HintMessage.Wanted wanted = HintMessage.Wanted.decode(request);
              yield HintMessage.answer(
                  office.hints().take(wanted.topics(), wanted.most(), wanted.patience()));
            }
          };
      to.write(Frames.DONE);
      Frames.writeMessage(to, answer);
    } catch (NotCoordinatorException e) {
      to.write(Frames.NOT_COORDINATOR);
    } catch (IllegalArgumentException e) {
      to.write(Frames.FAILED);
      Frames.writeText(to, String.valueOf(e.getMessage()));
    }
  }

  private void answer(Office office, int kind, DataInputStream from, DataOutputStream to)
      throws IOException {
    try {
      long value =
          switch (kind) {
            case Frames.NEXT -> office.next(from.readInt());
            case Frames.LAST_ISSUED -> office.lastIssued();
            case Frames.FENCE -> office.fence(from.readLong());
            case Frames.FIGURE -> figure(office, from.readUnsignedByte());
            default -> throw new IOException("Nothing is known of a request of kind " + kind + ".");
          };
      to.write(Frames.DONE);
      to.writeLong(value);
    } catch (NotCoordinatorException e) {
      to.write(Frames.NOT_COORDINATOR);
    } catch (TimestampUnavailableException | IllegalArgumentException e) {
      to.write(Frames.FAILED);
      Frames.writeText(to, String.valueOf(e.getMessage()));
    }
  }

  private long figure(Office office, int number) throws IOException {
    ManagerFigure[] figures = ManagerFigure.values();
    if (number >= figures.length) {
      throw new IOException("Nothing is known of figure " + number + ".");
    }
    return figures[number] == ManagerFigure.CONNECTIONS
        ? open.size()
        : office.figure(figures[number]);
  }

  /**
   * Ends the connections of processes that are gone: one whose machine lost its power says nothing
   * any more, and its locks are to become free.
   *
   * @param alive asked once for each process
   */
  void endGone(Predicate<String> alive) {
    Set<String> gone = new TreeSet<>(open.values());
    gone.removeIf(token -> token.isEmpty() || alive.test(token));
    open.forEach(
        (socket, token) -> {
          if (gone.contains(token)) {
            LOG.info("Process {} is gone: its connection is ended.", token);
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
