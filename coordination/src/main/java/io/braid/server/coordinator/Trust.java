package io.braid.server.coordinator;

import io.braid.core.net.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How the processes on one database authenticate each other.
 *
 * <ul>
 *   <li>With <b>TLS</b>, all messages between them are encrypted, and both ends of a connection
 *       show certificates that the authorities vouch for. The certificate of the coordinator names
 *       its address. Messages of a process without a certificate are not read.
 *   <li>Without TLS, only processes of this machine are served, unless the coordinator is
 *       <b>open</b> to every process that reaches it.
 * </ul>
 *
 * @param tls with the own certificate, and with authorities for that of the other end
 */
public record Trust(Optional<SSLContext> tls, boolean open) {
  /** This machine only. */
  public static final Trust NONE = new Trust(Optional.empty(), false);

  /**
   * Refuses to listen where other machines would be let in although the settings do not allow it.
   *
   * @throws IllegalArgumentException with the remedy
   */
  void requireSafe(InetAddress at) {
    if (tls.isEmpty() && !open && !at.isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "As the coordinator this process would listen at "
              + at.getHostAddress()
              + ", which other machines reach, and callers need not identify themselves. Set"
              + " cluster.tls-certificate, cluster.tls-key and cluster.tls-authorities, or"
              + " cluster.open = on to let everybody in, or cluster.coordinator = off if another"
              + " process is the coordinator.");
    }
  }

  /**
   * Returns the socket to talk through on an accepted connection. Closing the given socket ends it.
   */
  Socket admit(Socket plain) throws IOException {
    return tls.isPresent() ? Tls.admit(tls.get(), plain) : plain;
  }

  /**
   * Returns the socket to talk through on a connection to a server. Closing the given socket ends
   * it.
   */
  Socket call(Socket plain, String host, int port) throws IOException {
    return tls.isPresent() ? Tls.call(tls.get(), plain, host, port) : plain;
  }
}
