package io.braid.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Stands before a node, and loses the answers to requests that begin with some text, if asked. */
final class LosingProxy implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final URI node;
  private volatile String lost = "nothing";

  LosingProxy(String node) throws IOException {
    this.node = URI.create(node);
    Thread accepts = new Thread(this::accept, "proxy");
    accepts.setDaemon(true);
    accepts.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  void lose(String beginning) {
    lost = beginning;
  }

  private void accept() {
    while (!server.isClosed()) {
      try (Socket client = server.accept();
          Socket there = new Socket(node.getHost(), node.getPort())) {
        String request = request(client.getInputStream());
        there.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        byte[] answer = there.getInputStream().readAllBytes();
        if (!request.startsWith(lost)) {
          client.getOutputStream().write(answer);
        }
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** A whole request, after which the connection is to end. */
  private static String request(InputStream from) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) from.read());
    }
    int length = 0;
    StringBuilder kept = new StringBuilder();
    for (String line : head.toString().strip().split("\r\n")) {
      String name = line.toLowerCase(Locale.ROOT);
      if (name.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
      if (!name.startsWith("connection:")
          && !name.startsWith("upgrade:")
          && !name.startsWith("http2-settings:")) {
        kept.append(line).append("\r\n");
      }
    }
    byte[] body = from.readNBytes(length);
    return kept + "Connection: close\r\n\r\n" + new String(body, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
