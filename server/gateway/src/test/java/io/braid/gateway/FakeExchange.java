package io.braid.gateway;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request that came over no connection. */
final class FakeExchange extends HttpExchange {
  private static final InetSocketAddress HERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);

  private final String method;
  private final URI uri;
  private final Headers request = new Headers();
  private final Headers response = new Headers();
  private final InputStream body;
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private int code = -1;

  FakeExchange(String method, URI uri, byte[] body) {
    this.method = method;
    this.uri = uri;
    this.body = new ByteArrayInputStream(body);
    request.set("Host", "127.0.0.1");
    request.set("Content-Type", "application/json");
  }

  String answer() {
    return answer.toString(StandardCharsets.UTF_8);
  }

  @Override
  public Headers getRequestHeaders() {
    return request;
  }

  @Override
  public Headers getResponseHeaders() {
    return response;
  }

  @Override
  public URI getRequestURI() {
    return uri;
  }

  @Override
  public String getRequestMethod() {
    return method;
  }

  @Override
  public HttpContext getHttpContext() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}

  @Override
  public InputStream getRequestBody() {
    return body;
  }

  @Override
  public OutputStream getResponseBody() {
    return answer;
  }

  @Override
  public void sendResponseHeaders(int status, long length) {
    code = status;
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return HERE;
  }

  @Override
  public int getResponseCode() {
    return code;
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return HERE;
  }

  @Override
  public String getProtocol() {
    return "HTTP/1.1";
  }

  @Override
  public Object getAttribute(String name) {
    return "";
  }

  @Override
  public void setAttribute(String name, Object value) {}

  @Override
  public void setStreams(InputStream in, OutputStream out) {}

  @Override
  public HttpPrincipal getPrincipal() {
    throw new UnsupportedOperationException();
  }
}
