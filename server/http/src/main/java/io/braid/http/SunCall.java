package io.braid.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import io.braid.http.Exchanges.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A call over the HTTP server of the JDK. */
final class SunCall extends HttpCall {
  private static final int STEP_BYTES = 128 << 10;

  private final HttpExchange exchange;
  private final Exchange current;

  SunCall(HttpExchange exchange, Exchange current) {
    this.exchange = exchange;
    this.current = current;
  }

  @Override
  public String method() {
    return exchange.getRequestMethod();
  }

  @Override
  public String path() {
    return text(exchange.getRequestURI().getRawPath());
  }

  @Override
  public String query() {
    return text(exchange.getRequestURI().getRawQuery());
  }

  private static String text(@Nullable String part) {
    return part == null ? "" : part;
  }

  @Override
  public @Nullable String header(String name) {
    return exchange.getRequestHeaders().getFirst(name);
  }

  @Override
  public InetSocketAddress from() {
    return exchange.getRemoteAddress();
  }

  @Override
  public Optional<SSLSession> tls() {
    return exchange instanceof HttpsExchange secure
        ? Optional.of(secure.getSSLSession())
        : Optional.empty();
  }

  @Override
  public InputStream body() {
    return exchange.getRequestBody();
  }

  @Override
  public void set(String header, String value) {
    exchange.getResponseHeaders().set(header, value);
  }

  @Override
  public boolean answered() {
    return exchange.getResponseCode() != -1;
  }

  @Override
  protected void write(int status, byte[] body) throws IOException {
    begin(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  protected void write(int status, FileChannel file, long length) throws IOException {
    try (InputStream from = Channels.newInputStream(file)) {
      begin(status, length);
      OutputStream to = exchange.getResponseBody();
      byte[] step = new byte[(int) Math.min(STEP_BYTES, length)];
      for (long left = length; left > 0; ) {
        int read = from.read(step, 0, (int) Math.min(step.length, left));
        if (read < 0) {
          throw new IOException("The file has become shorter while it was sent.");
        }
        to.write(step, 0, read);
        left -= read;
      }
    }
  }

  private void begin(int status, long length) throws IOException {
    current.transfer(0, () -> exchange.sendResponseHeaders(status, length));
  }
}
