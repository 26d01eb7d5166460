package io.braid.groups.node;

import io.braid.core.runtime.ListenException;
import io.braid.groups.GroupException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apiguardian.api.API;

/**
 * How group nodes and their clients know each other.
 *
 * <ul>
 *   <li>With a <b>secret</b>, both ends of a connection prove that they know it. Nothing is
 *       encrypted.
 *   <li>With <b>TLS</b>, connections are encrypted and both ends show certificates that the
 *       authorities vouch for; that of a node names its address.
 *   <li>With neither, only this machine is served, unless it is <b>open</b>: to everybody.
 * </ul>
 *
 * @param tls with the own certificate, and with authorities for that of the other end
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Trust(Optional<Secret> secret, Optional<SSLContext> tls, boolean open) {
  /** A record of TLS: a fatal alert, the handshake has failed. */
  private static final byte[] TLS_REFUSAL = {0x15, 3, 3, 0, 2, 2, 40};

  /** This machine only. */
  public static final Trust NONE = new Trust(Optional.empty(), Optional.empty(), false);

  /**
   * Refuses settings that would let in any caller from another machine, unless this is open.
   *
   * @throws IllegalArgumentException with the remedy
   */
  void requireSafe(InetSocketAddress at) {
    boolean elsewhere = at.isUnresolved() || !at.getAddress().isLoopbackAddress();
    if (elsewhere && !open && secret.isEmpty() && tls.isEmpty()) {
      throw new IllegalArgumentException(
          at.getHostString()
              + " is reachable from other machines, and callers need not identify themselves. Set"
              + " groups.secret or groups.tls-certificate, or groups.open = on to let everybody"
              + " in.");
    }
  }

  /** How clients reach nodes. */
  public ClientNetwork network() {
    return address -> new TcpLine(address, this);
  }

  ServerSocket listen(InetSocketAddress at, int backlog) throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(at, backlog);
      return listener;
    } catch (BindException e) {
      listener.close();
      throw new ListenException(at, e);
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  /**
   * Returns the socket for reading from a caller, with the current certificates; the caller has to
   * present one.
   *
   * @param plain closed together with the returned socket
   */
  Socket hear(Socket plain) throws IOException {
    if (tls.isEmpty()) {
      return plain;
    }
    SSLSocket heard = (SSLSocket) tls.get().getSocketFactory().createSocket(plain, null, true);
    heard.setNeedClientAuth(true);
    return heard;
  }

  /**
   * Has a caller prove itself before it is heard. Returns the first number that the caller sends
   * after that.
   */
  long admit(DataInputStream from, DataOutputStream to) throws IOException {
    long first = from.readLong();
    if (secret.isPresent() && !isTls((int) (first >>> Short.SIZE * 3))) {
      Handshake.answer(secret.get(), first, from, to);
      return from.readLong();
    }
    if (isTls((int) (first >>> Short.SIZE * 3))) {
      to.write(TLS_REFUSAL);
      to.flush();
      throw new Handshake.RefusedException("A caller that speaks TLS; there is none here.", first);
    }
    if (first == Handshake.MAGIC) {
      Handshake.refuse(to);
      throw new Handshake.RefusedException(
          "A caller that has a secret; there is none here.", first);
    }
    return first;
  }

  /**
   * Connects.
   *
   * @param millis how long that may take, and any answer after it
   * @throws GroupException when the node has no certificate that is trusted
   */
  Socket connect(String address, int connectMillis, int millis) throws IOException {
    InetSocketAddress at = Addresses.parse(address);
    Socket socket = new Socket();
    try {
      socket.connect(at, connectMillis);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      return tls.isPresent() ? secure(tls.get(), socket, at) : socket;
    } catch (SSLException e) {
      socket.close();
      throw refusal(address, e);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket secure(SSLContext context, Socket plain, InetSocketAddress at)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context.getSocketFactory().createSocket(plain, at.getHostString(), at.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /**
   * Returns the exception to throw when TLS failed. A node that ended meanwhile is another case.
   */
  static IOException refusal(String address, SSLException e) {
    if (e.getCause() instanceof EOFException || e.getCause() instanceof SocketException) {
      return e;
    }
    throw new GroupException(
        "The group node at "
            + address
            + " and this process do not trust each other: "
            + e.getMessage()
            + " Either both use TLS, with certificates that the groups.tls-authorities of the other"
            + " vouch for, or neither does.",
        e);
  }

  /** Whether two bytes are those that a record of TLS begins with: an alert, or a handshake. */
  static boolean isTls(int begin) {
    return begin == 0x1503 || begin == 0x1603;
  }

  /** Proves to the called node that this process may come in. */
  void present(String address, DataInputStream from, DataOutputStream to) throws IOException {
    if (secret.isPresent()) {
      Handshake.call(secret.get(), address, from, to);
    }
  }
}
