package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a page of another origin can have a browser send changes nothing. Fault 72. */
class WebPagesTest {
  private final AtomicInteger answered = new AtomicInteger();
  private HttpEndpoint endpoint;

  @BeforeEach
  void open() throws IOException {
    endpoint =
        new HttpEndpoint(
            new SystemSeams(),
            HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            call -> {
              answered.incrementAndGet();
              call.send(200, Json.object());
            },
            failure -> HttpRefusal.defect());
  }

  @AfterEach
  void close() {
    endpoint.close();
  }

  /** The status, as a client is answered that sends these headers and no others. */
  private int ask(String method, String headers) throws IOException {
    int port = endpoint.address().getPort();
    String lines = headers.replace("PORT", Integer.toString(port)).replace("; ", "\r\n");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request =
          method
              + " /x HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n"
              + lines
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return Integer.parseInt(answer.substring(9, 12));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // A form, with and without what newer browsers tell.
    "POST, 'Host: 127.0.0.1:PORT; Content-Type: application/x-www-form-urlencoded'",
    "POST, 'Host: 127.0.0.1:PORT; Content-Type: multipart/form-data;boundary=x'",
    "POST, 'Host: 127.0.0.1:PORT; Content-Type: Text/Plain;charset=utf-8'",
    "POST, 'Host: 127.0.0.1:PORT; Content-Type: text/plain; Authorization: Bearer x'",
    "POST, 'Host: 127.0.0.1:PORT; Origin: http://evil.example'",
    "POST, 'Host: 127.0.0.1:PORT; Origin: null'",
    "POST, 'Host: 127.0.0.1:PORT; Origin: http://127.0.0.1:1'",
    "POST, 'Host: 127.0.0.1:PORT; Origin: https://127.0.0.1:PORT'",
    "POST, 'Host: 127.0.0.1:PORT; Sec-Fetch-Site: cross-site'",
    "POST, 'Host: 127.0.0.1:PORT; Sec-Fetch-Site: same-site; Content-Type: application/json'",
    "PUT, 'Host: 127.0.0.1:PORT; Origin: http://evil.example'",
    "DELETE, 'Host: 127.0.0.1:PORT; Origin: http://evil.example'",
    "GET, 'Host: 127.0.0.1:PORT; Origin: http://evil.example'",
    // A page that has bound its own name to this address.
    "POST, 'Host: evil.example:PORT; Origin: http://evil.example:PORT'",
    "PUT, 'Host: evil.example:PORT; Sec-Fetch-Site: same-origin'",
    "DELETE, 'Host: 127.0.0.1.evil.example; User-Agent: Mozilla/5.0 (X11)'",
  })
  void pagesOfStrangersChangeNothing(String method, String headers) throws IOException {
    assertThat(ask(method, headers)).isIn(403, 415);
    assertThat(answered).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, 'Host: 127.0.0.1:PORT; Origin: http://127.0.0.1:PORT; Content-Type: application/json'",
    "POST, 'Host: [::1]:PORT; Origin: http://[::1]:PORT; Sec-Fetch-Site: same-origin'",
    "DELETE, 'Host: localhost:PORT; Origin: http://localhost:PORT'",
    "POST, 'Host: a.example:PORT; Origin: http://a.example:PORT; Authorization: Bearer x'",
    "GET, 'Host: 127.0.0.1:PORT; Sec-Fetch-Site: cross-site'",
    // Programs: curl, the clients, other nodes.
    "POST, 'Host: node-3.example:PORT'",
    "PUT, 'Host: node-3.example:PORT; Content-Type: application/x-www-form-urlencoded'",
    "POST, 'Host: node-3.example:PORT; Content-Type: application/octet-stream'",
  })
  void ownPagesAndProgramsAreServed(String method, String headers) throws IOException {
    assertThat(ask(method, headers)).isEqualTo(200);
    assertThat(answered).hasValue(1);
  }

  @Test
  void theNameOfTheMachineIsItsOwn() throws IOException {
    String name = InetAddress.getLocalHost().getHostName();
    assertThat(ask("POST", "Host: " + name + ":PORT; Origin: http://" + name + ":PORT"))
        .isEqualTo(200);
  }
}
