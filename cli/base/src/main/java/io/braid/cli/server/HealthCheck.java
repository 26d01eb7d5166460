package io.braid.cli.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Asks a server on this machine whether it is ready, for supervisors of containers: exit code 0 if
 * it is. It speaks TLS if the server does. It does not check who the server is: it sends no secret
 * and asks only this machine.
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

  private static boolean isReady(String address) throws GeneralSecurityException {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    int port = Integer.parseInt(address.substring(colon + 1));
    try {
      return ask(host, port, true);
    } catch (SSLException e) {
      try {
        return ask(host, port, false);
      } catch (IOException plain) {
        return false;
      }
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean ask(String host, int port, boolean tls)
      throws IOException, GeneralSecurityException {
    try (Socket socket = tls ? anyone().getSocketFactory().createSocket() : new Socket()) {
      socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      String request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      return status.equals("HTTP/1.1 200");
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
