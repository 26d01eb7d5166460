package io.braid.gateway;

import io.braid.http.HttpCall;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** A request that came over no connection. */
final class FakeCall extends HttpCall {
  private static final Map<String, String> HEADERS =
      Map.of("host", "127.0.0.1", "content-type", "application/json");

  private final String method;
  private final URI uri;
  private final InputStream body;
  private String answer = "";
  private int status = -1;

  FakeCall(String method, URI uri, byte[] body) {
    this.method = method;
    this.uri = uri;
    this.body = new ByteArrayInputStream(body);
  }

  String answer() {
    return answer;
  }

  int status() {
    return status;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return Optional.ofNullable(uri.getRawPath()).orElse("");
  }

  @Override
  public String query() {
    return Optional.ofNullable(uri.getRawQuery()).orElse("");
  }

  @Override
  public String header(String name) {
    return HEADERS.get(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public InetSocketAddress from() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
  }

  @Override
  public Optional<SSLSession> tls() {
    return Optional.empty();
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public void set(String header, String value) {}

  @Override
  public boolean answered() {
    return status != -1;
  }

  @Override
  protected void write(int code, byte[] bytes) {
    status = code;
    answer = new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  protected void write(int code, FileChannel file, long length) throws IOException {
    status = code;
    file.close();
  }
}
