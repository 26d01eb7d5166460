package io.braid.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers over HTTP. */
class HttpEndpointTest {
  /** Fault 58: a request that the code is too small for, such as one nested too deeply. */
  @Test
  void anErrorIsAnsweredAndTheNextRequestToo() throws Exception {
    HttpEndpoint.Options options =
        new HttpEndpoint.Options(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            1,
            null,
            false,
            100,
            10,
            HttpEndpoint.LONGEST,
            Optional.empty());
    try (HttpEndpoint endpoint =
        new HttpEndpoint(
            new SystemSeams(),
            options,
            call -> {
              if (call.path().equals("/bad")) {
                throw new StackOverflowError("on purpose");
              }
              call.send(200, Json.object().put("fine", true));
            },
            failure -> HttpRefusal.defect())) {
      HttpResponse<String> failed = get(endpoint, "/bad");
      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(failed.body()).contains("\"error\":\"defect\"").doesNotContain("purpose");
      assertThat(get(endpoint, "/good").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void headIsAnsweredWithoutABody() throws Exception {
    try (HttpEndpoint endpoint =
        open(call -> call.send(200, Json.object().put("path", call.path())))) {
      HttpRequest head =
          HttpRequest.newBuilder(uri(endpoint, "/"))
              .method("HEAD", HttpRequest.BodyPublishers.noBody())
              .timeout(Duration.ofSeconds(20))
              .build();
      HttpResponse<String> answer = HttpClient.newHttpClient().send(head, BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
    }
  }

  /** A key of a row may be any text: what a client has escaped is for the handlers to read. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/%2F/b?c=%2F",
        "/a//b",
        "//a",
        "/a/../b",
        "/..",
        "/a/%2e%2E/b",
        "/%00%0a%1F%7f",
        "/a;b=c;/;d",
        "/%C3%A4%FF",
        "/a+b%20c?d=..&e=;+%00",
        "/?",
        "/-raw-/Lw",
        "/~!$&'()*,:@",
      })
  void addressesComeAsTheyWereWritten(String target) throws Exception {
    try (HttpEndpoint endpoint =
        open(call -> call.send(200, Json.object().put("is", call.path() + "?" + call.query())))) {
      java.net.URI expected = new URI(target);
      String query = expected.getRawQuery() == null ? "" : expected.getRawQuery();
      String is = Json.object().put("is", expected.getRawPath() + "?" + query).toString();
      assertThat(raw(endpoint, "GET " + target + " HTTP/1.1")).contains(" 200 ", is);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%zz", "/a|b", "/%1", "/a\"b"})
  void whatIsNoAddressIsRefused(String target) throws Exception {
    try (HttpEndpoint endpoint = open(call -> call.send(200, Json.object()))) {
      assertThat(raw(endpoint, "GET " + target + " HTTP/1.1")).startsWith("HTTP/1.1 40");
    }
  }

  /** Many clients write text into an address without escaping it. */
  @Test
  void bytesThatAreNotEscapedCountAsEscaped() throws Exception {
    try (HttpEndpoint endpoint =
        open(call -> call.send(200, Json.object().put("is", call.path() + "?" + call.query())))) {
      assertThat(raw(endpoint, "GET /\u00e4/\u20ac?q=\u00fc HTTP/1.1"))
          .contains("\"/%C3%A4/%E2%82%AC?q=%C3%BC\"");
    }
  }

  /** Where a body ends has to be sure, and for whom it is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST / HTTP/1.1\r\nTransfer-Encoding: xchunked",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked",
        "GET / HTTP/1.1\r\nHost: there",
      })
  void whatCanBeReadInTwoWaysIsRefused(String lines) throws Exception {
    try (HttpEndpoint endpoint =
        open(call -> call.send(200, "text/plain", call.body().readAllBytes()))) {
      assertThat(raw(endpoint, lines, "0\r\n\r\nGET / HTTP/1.1\r\nHost: here\r\n\r\n"))
          .startsWith("HTTP/1.1 400 ")
          .contains("{\"error\":\"bad request\"")
          .doesNotContain("\nHTTP/1.1 ");
    }
  }

  @Test
  void aBodyThatSaysThatItIsTooLongIsNotRead() throws Exception {
    try (HttpEndpoint endpoint =
        open(call -> call.send(200, "text/plain", call.body().readAllBytes()))) {
      assertThat(raw(endpoint, "POST / HTTP/1.1\r\nContent-Length: 99999999"))
          .contains(" 413 ", "A body has at most 33554432 bytes.");
    }
  }

  @Test
  void oldClientsAndThoseThatAskFirstAreServed() throws Exception {
    try (HttpEndpoint endpoint =
        open(call -> call.send(200, "text/plain", call.body().readAllBytes()))) {
      assertThat(raw(endpoint, "GET / HTTP/1.0")).contains(" 200 ");
      assertThat(
              raw(endpoint, "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2", "hi"))
          .startsWith("HTTP/1.1 100 ")
          .contains("HTTP/1.1 200 ")
          .endsWith("hi");
      assertThat(
              raw(
                  endpoint,
                  "POST / HTTP/1.1\r\nTransfer-Encoding: chunked",
                  "2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n"))
          .endsWith("hi!");
    }
  }

  @Test
  void clientsOfHttp2AreServed() throws Exception {
    try (HttpEndpoint endpoint =
        open(call -> call.send(200, Json.object().put("path", call.path())))) {
      com.linecorp.armeria.client.BlockingWebClient client =
          com.linecorp.armeria.client.WebClient.of(
                  "h2c://127.0.0.1:" + endpoint.address().getPort())
              .blocking();
      assertThat(client.get("/a%2Fb").contentUtf8()).contains("/a%2Fb");
    }
  }

  private static HttpEndpoint open(HttpEndpoint.Handler handler) throws IOException {
    return new HttpEndpoint(
        new SystemSeams(),
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        handler,
        failure -> HttpRefusal.defect());
  }

  /** Returns all that comes back for a request with these lines, and then this body. */
  private static String raw(HttpEndpoint endpoint, String lines, String... body)
      throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), endpoint.address().getPort())) {
      socket.setSoTimeout(20_000);
      String head = lines + "\r\nHost: here\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write((head + String.join("", body)).getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @Test
  void anAddressThatIsTakenIsNamed() throws Exception {
    HttpEndpoint.Options any =
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (HttpEndpoint first = open(any)) {
      HttpEndpoint.Options taken = HttpEndpoint.Options.plain(first.address());
      assertThatThrownBy(() -> open(taken))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(":" + first.address().getPort() + ": ")
          .hasMessageContaining("Choose another port");
    }
  }

  private static HttpEndpoint open(HttpEndpoint.Options options) throws IOException {
    return new HttpEndpoint(
        new SystemSeams(), options, call -> {}, failure -> HttpRefusal.defect());
  }

  private static HttpResponse<String> get(HttpEndpoint endpoint, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri(endpoint, path)).timeout(Duration.ofSeconds(30)).build(),
            BodyHandlers.ofString());
  }

  private static URI uri(HttpEndpoint endpoint, String path) {
    return URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path);
  }
}
