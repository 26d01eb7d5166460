package io.braid.groups.node;

import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where clients of a group node come in: a task for each. */
final class GroupDoor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupDoor.class);
  private static final int BACKLOG = 200;

  private final ServerSocket door = newSocket();
  private final String host;
  private final Seams seams;
  private final int mostConnections;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  GroupDoor(String host, int port, int mostConnections, Seams seams) {
    this.host = host;
    this.seams = seams;
    this.mostConnections = mostConnections;
    try {
      door.setReuseAddress(true);
      door.bind(new InetSocketAddress(host, port), BACKLOG);
    } catch (IOException e) {
      throw new TabletUnavailableException("TCP port " + port + " of " + host + " is taken.", e);
    }
  }

  private static ServerSocket newSocket() {
    try {
      return new ServerSocket();
    } catch (IOException e) {
      throw new TabletUnavailableException("No socket could be opened.", e);
    }
  }

  String address() {
    return host + ":" + door.getLocalPort();
  }

  /** What is done with a client; its socket is closed afterwards. */
  interface Host {
    void serve(Socket socket) throws IOException;
  }

  void open(Host host) {
    seams.start("braid-group-door", () -> accept(host));
  }

  private void accept(Host host) {
    while (!door.isClosed()) {
      try {
        Socket socket = door.accept();
        if (open.size() >= mostConnections) {
          LOG.warn("More than {} connections: {} is turned away.", mostConnections, socket);
          socket.close();
          continue;
        }
        open.add(socket);
        seams.start("braid-group-client", () -> serve(socket, host));
      } catch (IOException e) {
        LOG.debug("A connection was not accepted: {}", e.toString());
      }
    }
  }

  private void serve(Socket socket, Host host) {
    try (socket) {
      host.serve(socket);
    } catch (IOException e) {
      LOG.debug("A connection ended: {}", e.toString());
    } finally {
      open.remove(socket);
    }
  }

  @Override
  public void close() {
    try {
      door.close();
      for (Socket each : open) {
        each.close();
      }
    } catch (IOException e) {
      LOG.debug("Not closed: {}", e.toString());
    }
  }
}
