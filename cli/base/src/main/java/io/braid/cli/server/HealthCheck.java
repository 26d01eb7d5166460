package io.braid.cli.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Asks a server on this machine whether it is ready, for supervisors of containers: exit code 0 if
 * it is. It speaks TLS if the server does. It does not check who the server is: it sends no secret
 * and asks only this machine. It has no certificate, so a server with {@code server.tls-clients}
 * does not answer it.
 */
public final class HealthCheck {
  private static final int PATIENCE_MILLIS = 5000;

  private HealthCheck() {}

  /**
   * @param words the address, as {@code 127.0.0.1:7800}
   */
  public static void main(String[] words) throws GeneralSecurityException {
    System.exit(words.length == 1 && isReady(words[0]) ? 0 : 1);
  }

  static boolean isReady(String address) throws GeneralSecurityException {
    int colon = address.lastIndexOf(':');
    InetSocketAddress at =
        new InetSocketAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    // Plain HTTP first: a server without TLS waits for the end of what is no request to it.
    String status = ask(at, SocketFactory.getDefault());
    if (!status.startsWith("HTTP/")) {
      status = ask(at, anyone().getSocketFactory());
    }
    return status.equals("HTTP/1.1 200");
  }

  /** Returns the begin of the answer; empty if there is none. */
  private static String ask(InetSocketAddress at, SocketFactory sockets) {
    try (Socket socket = sockets.createSocket()) {
      socket.connect(at, PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      String request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  private static SSLContext anyone() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAnyone()}, null);
    return context;
  }

  private static final class TrustsAnyone implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
