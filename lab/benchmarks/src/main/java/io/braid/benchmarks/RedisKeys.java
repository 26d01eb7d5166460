package io.braid.benchmarks;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A minimal Redis client for benchmarks: one connection that reads keys. */
final class RedisKeys implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  RedisKeys(InetSocketAddress address, int database) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = new BufferedOutputStream(socket.getOutputStream());
    send("SELECT", List.of(ascii(Integer.toString(database))));
    line();
  }

  /** Returns how many of the keys have values. */
  int get(List<byte[]> keys) throws IOException {
    if (keys.size() == 1) {
      send("GET", keys);
      return bulk();
    }
    send("MGET", keys);
    int count = Integer.parseInt(line().substring(1));
    int present = 0;
    for (int i = 0; i < count; i++) {
      present += bulk();
    }
    return present;
  }

  private void send(String command, List<byte[]> words) throws IOException {
    out.write(ascii("*" + (words.size() + 1) + "\r\n"));
    word(ascii(command));
    for (byte[] word : words) {
      word(word);
    }
    out.flush();
  }

  private void word(byte[] word) throws IOException {
    out.write(ascii("$" + word.length + "\r\n"));
    out.write(word);
    out.write(ascii("\r\n"));
  }

  private int bulk() throws IOException {
    int length = Integer.parseInt(line().substring(1));
    if (length < 0) {
      return 0;
    }
    in.readFully(new byte[length + 2]);
    return 1;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    if (line.indexOf("-") == 0) {
      throw new IOException("The node answered " + line);
    }
    return line.toString();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
