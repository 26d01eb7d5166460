package io.braid.groups.node;

import java.net.InetSocketAddress;

/** Addresses as people write them. */
final class Addresses {
  private static final int MOST_PORT = 65_535;

  private Addresses() {}

  /**
   * Parses HOST:PORT.
   *
   * @throws IllegalArgumentException when it is no address
   */
  static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = colon < 1 ? -1 : Integer.parseInt(text.substring(colon + 1));
      if (port >= 0 && port <= MOST_PORT) {
        return new InetSocketAddress(text.substring(0, colon), port);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException("'" + text + "' is no address: write HOST:PORT.");
  }
}
