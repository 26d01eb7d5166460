package io.braid.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Sends any bytes over HTTP/1.1, for requests that no client library sends. */
final class RawHttp {
  /** The header of calls of gRPC. */
  static final String GRPC = "Content-Type: application/grpc";

  private static final int PATIENCE = 60_000; // milliseconds
  private static final int PIECE = 64 << 10; // bytes
  private static final String TYPE = "content-type: ";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final int port;

  /** An answer; its status is 0 if the connection ended without one. */
  record Reply(int status, String type, String text) {
    /** Returns whether this is a refusal in the documented form. */
    boolean isRefusal() {
      try {
        JsonNode told = JSON.readTree(text);
        return status >= 400
            && status < 500
            && type.startsWith("application/json")
            && !told.path("error").asText().isBlank()
            && !told.path("message").asText().isBlank();
      } catch (IOException e) {
        return false;
      }
    }
  }

  RawHttp(URI node) {
    this.port = node.getPort();
  }

  /** Returns the bytes of a text that has a character for each. */
  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns the lines before the body.
   *
   * @param length the header with the length of the body and its end of line, or none
   * @param headers replace the usual ones of the same name
   */
  String head(String method, String path, String length, String... headers) {
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    String given = String.join("\r\n", headers);
    if (!given.contains("Host: ")) {
      head.append("Host: 127.0.0.1:" + port + "\r\n");
    }
    if (!given.contains("Content-Type: ")) {
      head.append("Content-Type: application/json\r\n");
    }
    head.append("Connection: close\r\n" + length);
    return head + (headers.length == 0 ? "" : given + "\r\n") + "\r\n";
  }

  /** Sends a part of a request and closes the connection. */
  void begin(String part) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes(part));
    }
  }

  /** Sends a whole request, unless the answer comes earlier. */
  Reply send(String head, byte[] body) throws IOException {
    try (Socket socket = connect()) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      try {
        out.write(bytes(head));
        for (int at = 0; at < body.length && in.available() == 0; at += PIECE) {
          out.write(Arrays.copyOfRange(body, at, Math.min(body.length, at + PIECE)));
        }
      } catch (SocketException e) {
        // The server has answered and closed the connection.
      }
      return reply(in);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE);
    return socket;
  }

  private static Reply reply(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      in.transferTo(bytes);
    } catch (SocketException e) {
      // The bytes before the reset count.
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      return new Reply(0, "", text);
    }
    String head = text.substring(0, end).toLowerCase(Locale.ROOT);
    String type =
        head.lines()
            .filter(line -> line.startsWith(TYPE))
            .map(line -> line.substring(TYPE.length()))
            .findFirst()
            .orElse("");
    return new Reply(Integer.parseInt(head.substring(9, 12)), type, text.substring(end + 4));
  }
}
