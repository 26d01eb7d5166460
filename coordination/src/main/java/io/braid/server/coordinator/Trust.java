package io.braid.server.coordinator;

import io.braid.core.net.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How the processes on one database know each other.
 *
 * <ul>
 *   <li>With <b>TLS</b>, all that they say to each other is encrypted, and both ends of a
 *       connection show certificates that the authorities vouch for; that of the coordinator names
 *       its address. Nothing of a process without one is heard.
 *   <li>Without it, only processes of this machine are served, unless the coordinator is
 *       <b>open</b>: to everybody who reaches it.
 * </ul>
 *
 * @param tls with the own certificate, and with authorities for that of the other end
 */
public record Trust(Optional<SSLContext> tls, boolean open) {
  /** This machine only. */
  public static final Trust NONE = new Trust(Optional.empty(), false);

  /**
   * Refuses to listen where anybody from elsewhere would be let in without being told to.
   *
   * @throws IllegalArgumentException that says what to do
   */
  void requireSafe(InetAddress at) {
    if (tls.isEmpty() && !open && !at.isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "As the coordinator this process would listen at "
              + at.getHostAddress()
              + ", which other machines reach, and nobody would have to say who asks. Set"
              + " cluster.tls-certificate, cluster.tls-key and cluster.tls-authorities, or"
              + " cluster.open = on to let everybody in, or cluster.coordinator = off if another"
              + " process is the coordinator.");
    }
  }

  /** What a connection that was taken is heard through; the given one ends it. */
  Socket admit(Socket plain) throws IOException {
    return tls.isPresent() ? Tls.admit(tls.get(), plain) : plain;
  }

  /** What a connection that was made is heard through; the given one ends it. */
  Socket call(Socket plain, String host, int port) throws IOException {
    return tls.isPresent() ? Tls.call(tls.get(), plain, host, port) : plain;
  }
}
