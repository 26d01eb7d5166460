package io.braid.connect.hbase;

import io.braid.ConfigurationException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.server.coordinator.Participant;
import io.braid.server.coordinator.Trust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;

/** Where this process listens while it is the coordinator. */
record ListenAddress(InetAddress host, int port) {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int MOST_PORT = 65_535;

  /**
   * @param text HOST, HOST:PORT, or {@code auto}: the address by which this process reaches
   *     ZooKeeper, and any port
   */
  static ListenAddress of(String text, ZooKeeperPlace place) {
    if (text.equals("auto")) {
      return new ListenAddress(outgoing(place), 0);
    }
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    try {
      int port = colon < 0 ? 0 : Integer.parseInt(text.substring(colon + 1));
      if (port < 0 || port > MOST_PORT) {
        throw new NumberFormatException();
      }
      return new ListenAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException | NumberFormatException e) {
      throw new ConfigurationException(
          "'" + text + "' is no value for cluster.address: write HOST or HOST:PORT, or auto.");
    }
  }

  private static InetAddress outgoing(ZooKeeperPlace place) {
    String[] server = place.first();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(server[0], Integer.parseInt(server[1])), CONNECT_MILLIS);
      return socket.getLocalAddress();
    } catch (IOException e) {
      throw new TabletUnavailableException(
          "ZooKeeper at "
              + server[0]
              + ":"
              + server[1]
              + " does not answer: is the cluster running? ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /**
   * @throws ConfigurationException when the settings would let every process in without saying so
   */
  Participant.Terms terms(Duration lease, boolean candidate, int conflictCells, Trust trust) {
    try {
      return new Participant.Terms(lease, candidate, host, port, conflictCells, trust);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()));
    }
  }
}
